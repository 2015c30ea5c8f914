import HTTPServing
import KillPoints
import ProvisioningProtocol

/// The access point of a boxed device: an HTTP server on a loopback address of its own.
struct AccessPoint: Sendable {
    private static let limits = HTTPServerLimits.calls(
        head: 4_096, body: ProvisioningEndpoint.largestBody, timeout: .seconds(30), connections: 8)

    private let server: HTTPServer
    /// The address it listens on.
    let url: String
    /// The port it listens on.
    var port: UInt16 { server.port }

    /// Listens on a port, or on another one where that is taken.
    /// - Throws: ``BoxedDeviceError``.
    init(address: String, port: UInt16?) async throws(BoxedDeviceError) {
        do throws(HTTPServerError) {
            server = try await Self.listening(address, port)
        } catch {
            throw BoxedDeviceError(
                "no access point on \(address): \(error); run fewer boxed devices, or on a system whose "
                    + "loopback interface has all of 127.0.0.0/8")
        }
        url = "http://\(address):\(server.port)"
    }

    private static func listening(
        _ address: String, _ port: UInt16?
    ) async throws(HTTPServerError) -> HTTPServer {
        if let port {
            do throws(HTTPServerError) {
                return try await HTTPServer(on: address, port: port, within: limits)
            } catch {
                // Another program has taken the port meanwhile.
            }
        }
        return try await HTTPServer(on: address, port: 0, within: limits)
    }

    /// Answers requests until the task is cancelled; then the port is free again. Only what `answer` throws,
    /// such as that a device cannot remember, ends more than a connection.
    func serve(
        _ answer: @escaping @Sendable (AccessPointRequest) async throws -> AccessPointReply
    ) async throws {
        try await server.run(
            { request in
                switch try await answer(AccessPointRequest(request)) {
                case .answer(let answer): .reply(HTTPReply(answer))
                case .half(let answer): .half(HTTPReply(answer))
                case .none: .nothing
                }
            }, sent: { KillPoint.boxAnswered.pass() })
    }
}

/// What an access point sends.
enum AccessPointReply: Sendable {
    /// An answer.
    case answer(AccessPointAnswer)
    /// The first half of an answer; then the connection breaks.
    case half(AccessPointAnswer)
    /// Nothing; the connection breaks.
    case none
}

extension AccessPointRequest {
    fileprivate init(_ request: HTTPRequest) {
        self.init(
            endpoint: ProvisioningEndpoint(rawValue: String(request.path.dropFirst())),
            session: request.cookie("session").flatMap { Int($0) }, body: request.body)
    }
}

extension HTTPReply {
    fileprivate init(_ answer: AccessPointAnswer) {
        switch answer {
        case .done(let session, let body):
            self.init(
                200, contentType: "application/octet-stream", cookie: "session=\(session)",
                body: body)
        case .unknownEndpoint: self.init(404, text: "404 Not Found\n")
        case .failed(let session, let reason):
            self.init(500, cookie: "session=\(session)", text: "\(reason)\n")
        }
    }
}
