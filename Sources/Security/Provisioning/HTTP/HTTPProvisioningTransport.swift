internal import DeviceDomain
internal import FlyingSocks
internal import FoundationEssentials
package import ProvisioningProtocol

/// The access point of a boxed device over HTTP/1.1: one connection per request, and the device's cookie.
package actor HTTPProvisioningTransport: ProvisioningTransport {
    /// The longest that a device may take for one answer: it joins a network or computes a proof meanwhile.
    private static let longestAnswer = Duration.seconds(10)
    private static let connectTimeout = 3.0

    private let address: AccessPointAddress
    private let clock: any ProvisioningClock
    private var cookie: String?

    package init(at address: AccessPointAddress, clock: any ProvisioningClock) {
        self.address = address
        self.clock = clock
    }

    package func post(
        _ body: [UInt8], to endpoint: ProvisioningEndpoint
    ) async throws(ProvisioningError) -> [UInt8] {
        guard body.count <= ProvisioningEndpoint.largestBody else {
            throw ProvisioningError(
                .unreadableAnswer,
                "\(endpoint.rawValue): a request of \(body.count) bytes is more than a device takes",
                .contact)
        }
        // A new handshake begins without the cookie of the session before it.
        if endpoint == .version { cookie = nil }
        let request = head(for: endpoint, body.count) + body
        let (result, end) = await race(within: Self.longestAnswer, by: clock) {
            await self.exchange(request)
        }
        // Where no connection stood, nobody was silent.
        if case .failure(let error) = result, error.code == .noAccessPoint { throw error }
        guard end == .finished, let result else {
            throw ProvisioningError(
                .connectionLost, "\(address) did not answer \(endpoint.rawValue)", .pressReset)
        }
        let answer = try result.get()
        if let new = answer.cookie { cookie = new }
        guard answer.status == 200 else { throw .refused(answer, at: endpoint, of: address) }
        return answer.body
    }

    private func head(for endpoint: ProvisioningEndpoint, _ length: Int) -> [UInt8] {
        var lines = [
            "POST /\(endpoint.rawValue) HTTP/1.1", "Host: \(address.host):\(address.port)",
            "Content-Type: \(ProvisioningEndpoint.contentType)", "Content-Length: \(length)",
            "Accept: text/plain", "Connection: close",
        ]
        if let cookie { lines.append("Cookie: \(cookie)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    // MARK: The connection

    private func exchange(_ request: [UInt8]) async -> Result<HTTPAnswer, ProvisioningError> {
        let socket: AsyncSocket
        do {
            socket = try await .connected(
                to: .inet(ip4: address.host, port: address.port), timeout: Self.connectTimeout)
        } catch {
            return .failure(
                ProvisioningError(
                    .noAccessPoint,
                    "\(address) cannot be reached: \(error.reason(ofEnd: "nothing takes connections there"))",
                    .pressReset))
        }
        do {
            let answer = try await Self.talk(request, over: socket)
            // The answer counts, however the connection ends.
            _ = Result { try socket.close() }
            return .success(answer)
        } catch {
            _ = Result { try socket.close() }
            if let malformed = error as? HTTPAnswerReader.Malformed {
                return .failure(
                    ProvisioningError(
                        .unreadableAnswer,
                        "what answers at \(address) is no boxed device: \(malformed.reason)",
                        .joinAccessPoint))
            }
            return .failure(
                ProvisioningError(
                    .connectionLost,
                    "the connection to \(address) broke: \(error.reason(ofEnd: "the other side closed it"))",
                    .pressReset))
        }
    }

    private static func talk(
        _ request: [UInt8], over socket: AsyncSocket
    ) async throws -> HTTPAnswer {
        try await socket.write(Data(request))
        var reader = HTTPAnswerReader(largestBody: ProvisioningEndpoint.largestBody)
        while true {
            let part: [UInt8]
            do {
                part = try await socket.read(atMost: ProvisioningEndpoint.largestBody)
            } catch {
                guard case SocketError.disconnected = error else { throw error }
                guard let answer = reader.ended() else { throw error }
                return answer
            }
            if let answer = try reader.receive(part) { return answer }
        }
    }
}

extension ProvisioningError {
    /// A device answered with an error, and perhaps a line that says why.
    fileprivate static func refused(
        _ answer: HTTPAnswer, at endpoint: ProvisioningEndpoint, of address: AccessPointAddress
    ) -> ProvisioningError {
        // Every boxed device answers that question, before anything else.
        if endpoint == .version {
            return ProvisioningError(
                .unreadableAnswer,
                "what answers at \(address) is no boxed device: it answers the question for its "
                    + "version with status \(answer.status)", .joinAccessPoint)
        }
        if endpoint == .claim, answer.status == 404 {
            return ProvisioningError(
                .claimUnsupported,
                "the device cannot be claimed: it takes a Wi-Fi network, but no home (status 404)",
                .contact)
        }
        let printable = answer.body.prefix(200).filter { (32...126).contains($0) }
        let reason = printable.isEmpty ? "" : ": \(String(decoding: printable, as: UTF8.self))"
        return ProvisioningError(
            .refused,
            "the device refused \(endpoint.rawValue) with status \(answer.status)\(reason)",
            .pressReset)
    }
}

extension Error {
    /// Why a connection failed.
    /// - Parameter end: the reason where the other side closed it.
    fileprivate func reason(ofEnd end: String) -> String {
        switch self as? SocketError {
        case .failed(_, _, let message): message
        case .timeout: "it does not answer"
        case .disconnected: end
        case .blocked, .unsupportedAddress, nil: "\(self)"
        }
    }
}
