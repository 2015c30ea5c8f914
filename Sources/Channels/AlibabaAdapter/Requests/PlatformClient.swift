internal import Basics
internal import DeviceDomain
internal import HTTPSRequests

/// Makes calls of the platform's API: signs them, sends them, at most ten at a time, and reads the answers.
final class PlatformClient: Sendable {
    /// What every call has in common.
    struct Account: Sendable {
        let endpoint: String
        let region: String
        /// Empty where the platform has no instances.
        let instance: String
        let key: AccessKey
        let connectTimeout: Duration
    }

    /// A successful answer.
    struct Answer: Sendable {
        let members: JSONObject
        let body: [UInt8]
        /// When the platform had answered, by its own clock, to the second below; by ours where it did not say.
        let at: Timestamp
    }

    /// Requests at a time; the API's own limit is 50 queries a second for an account.
    private static let mostRequests = 10
    /// For a request without the connection: a synchronous service is answered within 8 s.
    static let answerTimeout = Duration.seconds(15)
    /// The pause before a reading that was throttled is made again.
    private static let throttling = Backoff(first: .milliseconds(500), longest: .seconds(8))
    private static let mostThrottled = 6
    /// Attempts at a reading whose answer was lost.
    private static let mostLost = 3

    private let account: Account
    private let transport: any PlatformTransport
    private let clock: any CommandClock
    private let slots = RequestSlots(PlatformClient.mostRequests)
    private let clockOffset = Guarded<Duration?>(nil)

    init(_ account: Account, over transport: any PlatformTransport, clock: any CommandClock) {
        self.account = account
        self.transport = transport
        self.clock = clock
    }

    /// How far the platform's clock is ahead of ours, by its last answer; `nil` before one.
    var platformOffset: Duration? { clockOffset.withLock { $0 } }

    /// Now by the platform's clock, as far as it is known. A difference below two seconds is not: its answers name
    /// whole seconds.
    var platformTime: Timestamp {
        let offset = platformOffset ?? .zero
        return offset.magnitude < .seconds(2) ? clock.now.wall : clock.now.wall.advanced(by: offset)
    }

    /// Makes a reading call, again and again where the platform throttles it or its answer is lost.
    func read(_ request: PlatformRequest) async throws(PlatformFailure) -> Answer {
        var attempts = 0
        while true {
            do {
                return try await call(request)
            } catch {
                attempts += 1
                let most =
                    error.proof == .throttled
                    ? Self.mostThrottled : error.proof == .unknown ? Self.mostLost : 1
                guard attempts < most, !Task.isCancelled else { throw error }
                var generator = SystemGenerator()
                await clock.sleep(
                    for: Self.throttling.wait(
                        after: attempts - 1, scatteredBy: 0.2, using: &generator))
            }
        }
    }

    /// Makes one call, once.
    /// - Parameter timeout: for the answer.
    func call(
        _ request: PlatformRequest, within timeout: Duration = answerTimeout
    ) async throws(PlatformFailure) -> Answer {
        try await slots.withSlot { () async throws(PlatformFailure) in
            try await send(request, within: timeout)
        }
    }

    private func send(
        _ request: PlatformRequest, within timeout: Duration
    ) async throws(PlatformFailure) -> Answer {
        let (form, signature) = signedForm(of: request)
        let hidden = [account.key.secret, signature]
        let post = FormPost(
            url: account.endpoint, form: Array(form.utf8), isSentOnce: request.isCommand,
            connectTimeout: account.connectTimeout, timeout: account.connectTimeout + timeout)
        let answer: HTTPAnswer
        do {
            answer = try await transport.post(post)
        } catch {
            throw PlatformFailure(error, at: account.endpoint, hiding: hidden)
        }
        let date = HTTPDate(answer.date)?.time
        if let date { note(date) }
        let members = try PlatformAnswer.members(of: answer, hiding: hidden)
        return Answer(members: members, body: answer.body, at: date ?? clock.now.wall)
    }

    /// The form of a request, with a nonce and a time of its own, and its signature.
    private func signedForm(of request: PlatformRequest) -> (form: String, signature: String) {
        let nonce = (0..<2).map { _ in UInt64.random(in: .min ... .max).hexadecimal }.joined()
        var parameters = request.parameters
        parameters["Action"] = request.action
        parameters["Version"] = "2018-01-20"
        parameters["Format"] = "JSON"
        parameters["AccessKeyId"] = account.key.id
        parameters["RegionId"] = account.region
        parameters["SignatureMethod"] = "HMAC-SHA1"
        parameters["SignatureVersion"] = "1.0"
        parameters["SignatureNonce"] = nonce
        parameters["Timestamp"] = clock.now.wall.wholeSecond
        if !account.instance.isEmpty { parameters["IotInstanceId"] = account.instance }
        let signature = PlatformSignature.sign(parameters, secret: account.key.secret)
        parameters["Signature"] = signature
        return (PlatformSignature.form(parameters), signature)
    }

    private func note(_ date: Timestamp) {
        // The header is the second below; the half of one is the best guess.
        let offset = date.since(clock.now.wall) + .milliseconds(500)
        clockOffset.withLock { $0 = offset }
    }
}

extension PlatformFailure {
    fileprivate init(_ failure: TransportFailure, at endpoint: String, hiding hidden: [String]) {
        let words = "\(endpoint): \(ForeignText(failure.message, hiding: hidden))"
        let proof: Proof =
            switch failure.reason {
            case .tlsRefused: .tlsRefused
            case .unusable: .unusable
            case .unreachable: .unreachable
            case .timedOut, .lost, .cancelled: failure.mayHaveLeft ? .unknown : .unreachable
            case .tooLarge: .unknown
            }
        self.init(proof: proof, code: "", message: words)
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}

extension Timestamp {
    /// As `2026-01-02T03:04:05Z`.
    fileprivate var wholeSecond: String {
        "\(description.prefix { $0 != "." })Z"
    }
}
