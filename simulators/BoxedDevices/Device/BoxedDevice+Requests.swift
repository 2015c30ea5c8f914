import DeviceMessages
import ProvisioningProtocol

// What the device answers to clients of its access point.
extension BoxedDevice {
    /// Why a request could not be answered.
    struct RequestFailure: Error {
        let reason: String
    }

    mutating func take(_ request: AccessPointRequest) {
        guard Self.endpoints.contains(request.endpoint) else {
            return actions.append(.answer(.unknownEndpoint))
        }
        // A number of its own for whoever comes without one.
        let session = request.session ?? Int.random(in: 1...Int(Int32.max), using: &generator)
        do throws(RequestFailure) {
            let body = try reply(to: request, in: session)
            actions.append(.answer(.done(session: session, body: body)))
        } catch {
            actions.append(.answer(.failed(session: session, error.reason)))
        }
    }

    private static let endpoints: Set<ProvisioningEndpoint> = [
        .version, .session, .scan, .config, .control, .claim,
    ]
    /// Handshakes that may be under way at once.
    private static let mostCandidates = 4

    private mutating func makeHandshake() -> DeviceSession {
        DeviceSession(identity.credentials, .counted, using: &generator)
    }

    private mutating func reply(
        to request: AccessPointRequest, in session: Int
    ) throws(RequestFailure) -> [UInt8] {
        switch request.endpoint {
        case .version:
            return ProvisioningVersion(
                security: identity.credentials.security,
                securityPatch: identity.credentials.security == .password ? 1 : 0
            ).json
        case .session: return try shakeHands(request.body, in: session)
        default:
            guard client?.session == session else { throw .noSession }
            let body = try open(request.body)
            let answer = try protectedReply(to: request.endpoint, body)
            guard var channel = client?.channel else { throw .noSession }
            let sealed = channel.seal(answer)
            client?.channel = channel
            return sealed
        }
    }

    /// A client of a whole handshake takes the place of the present one: there is one session at a time. Until
    /// then the present one keeps its session, so that nobody ends it without the code on the label.
    private mutating func shakeHands(
        _ body: [UInt8], in session: Int
    ) throws(RequestFailure) -> [UInt8] {
        var handshake = candidates.first { $0.session == session }?.handshake ?? makeHandshake()
        if Self.isBeginning(body) { handshake = makeHandshake() }
        candidates.removeAll { $0.session == session }
        do throws(ProvisioningProtocolError) {
            let reply = try handshake.receive(body)
            if let channel = reply.channel {
                client = Client(session: session, channel: channel)
            } else {
                candidates.append(Candidate(session: session, handshake: handshake))
                candidates = candidates.suffix(Self.mostCandidates)
            }
            return reply.body
        } catch {
            throw RequestFailure(reason: error.message)
        }
    }

    /// Whether a client begins a handshake, perhaps anew.
    private static func isBeginning(_ body: [UInt8]) -> Bool {
        switch try? SessionMessage(body) {
        case .security0Command, .security1(.command0), .security2(.command0): true
        case .security0Response, .security1, .security2, nil: false
        }
    }

    private mutating func open(_ body: [UInt8]) throws(RequestFailure) -> [UInt8] {
        guard var channel = client?.channel else { throw .noSession }
        do throws(ProvisioningProtocolError) {
            let opened = try channel.open(body)
            client?.channel = channel
            return opened
        } catch {
            client = nil
            throw RequestFailure(reason: error.message)
        }
    }

    private mutating func protectedReply(
        to endpoint: ProvisioningEndpoint, _ body: [UInt8]
    ) throws(RequestFailure) -> [UInt8] {
        do {
            switch endpoint {
            case .scan: return try scan(WiFiScanMessage(body)).bytes
            case .config: return try configure(WiFiConfigMessage(body)).bytes
            case .control: return try control(ControlMessage(body)).bytes
            default: return try claim(body)
            }
        } catch let failure as RequestFailure {
            throw failure
        } catch {
            throw RequestFailure(reason: "\(error)")
        }
    }
}

extension BoxedDevice.RequestFailure {
    static let noSession = Self(
        reason: "there is no session: begin one at \(ProvisioningEndpoint.session.rawValue)")
    static func unexpected(_ name: String) -> Self {
        Self(reason: "the message belongs to a device, not to a client of \(name)")
    }
}
