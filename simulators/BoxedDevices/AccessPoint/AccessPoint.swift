import FlyingSocks
import FoundationEssentials
import Glibc
import KillPoints
import ProvisioningProtocol

/// The access point of a boxed device: an HTTP server on a loopback address of its own.
///
/// Uses plain sockets: the HTTP server of the same package would link Foundation's networking, and with it
/// libcurl, for six endpoints.
struct AccessPoint: Sendable {
    /// Connections that may wait for their request at the same time; one more ends the one that waits longest.
    private static let mostWaiting = 8
    /// How long a connection may be silent.
    private static let patience: Duration = .seconds(30)

    private let socket: Socket
    /// The address it listens on.
    let url: String
    /// The port it listens on.
    let port: UInt16

    /// Listens on a port, or on another one where that is taken.
    /// - Throws: ``BoxedDeviceError``.
    init(address: String, port: UInt16?) throws(BoxedDeviceError) {
        do {
            socket = try Self.listening(address, port ?? 0)
        } catch {
            guard port != nil else { throw Self.unavailable(address, error) }
            do {
                socket = try Self.listening(address, 0)
            } catch { throw Self.unavailable(address, error) }
        }
        guard case .ip4(_, let port)? = try? socket.sockname() else {
            throw BoxedDeviceError("the access point on \(address) has no port")
        }
        self.port = port
        url = "http://\(address):\(port)"
    }

    private static func listening(_ address: String, _ port: UInt16) throws -> Socket {
        let socket = try Socket(domain: AF_INET)
        do {
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: .inet(ip4: address, port: port))
            try socket.listen()
            return socket
        } catch {
            try? socket.close()
            throw error
        }
    }

    private static func unavailable(_ address: String, _ error: any Error) -> BoxedDeviceError {
        BoxedDeviceError(
            "no access point on \(address): \(error); run fewer boxed devices, or on a system whose "
                + "loopback interface has all of 127.0.0.0/8")
    }

    /// Answers requests until the task is cancelled; then the port is free again.
    func serve(
        over pool: some AsyncSocketPool,
        _ answer: @escaping @Sendable (AccessPointRequest) async throws -> AccessPointReply
    ) async throws {
        let listener = try AsyncSocket(socket: socket, pool: pool)
        defer { try? listener.close() }
        let waiting = WaitingConnections(atMost: Self.mostWaiting)
        let (failure, source) = AsyncThrowingStream<Never, any Error>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await withThrowingDiscardingTaskGroup { connections in
                    while true {
                        let connection = try await listener.accept()
                        connections.addTask {
                            do {
                                try await converse(over: connection, among: waiting, answer)
                            } catch {
                                source.finish(throwing: error)
                            }
                        }
                    }
                }
            }
            group.addTask { for try await _ in failure {} }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Answers the requests of one connection until it has to go. Only a device that cannot remember ends more
    /// than the connection.
    private func converse(
        over socket: AsyncSocket, among waiting: WaitingConnections,
        _ answer: @escaping @Sendable (AccessPointRequest) async throws -> AccessPointReply
    ) async throws {
        defer { try? socket.close() }
        let place = WaitingConnections.Place()
        defer { waiting.remove(place) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await talk(over: socket, place, among: waiting, answer) }
            group.addTask { for await _ in place.ending {} }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Answers the requests of one connection; one that is silent is closed.
    private func talk(
        over socket: AsyncSocket, _ place: WaitingConnections.Place,
        among waiting: WaitingConnections,
        _ answer: @escaping @Sendable (AccessPointRequest) async throws -> AccessPointReply
    ) async throws {
        var post = HTTPPost(largestBody: ProvisioningEndpoint.largestBody)
        waiting.add(place)
        while true {
            switch post.next() {
            case .incomplete:
                guard let bytes = await read(from: socket), !bytes.isEmpty else { return }
                post.append(bytes)
            case .refused(let status):
                try? await socket.write(Data(HTTPReply(status).bytes(closing: true)))
                return
            case .complete(let request):
                waiting.remove(place)
                let reply = try await answer(AccessPointRequest(request))
                let isSent = await send(reply, closing: !request.keepsConnection, over: socket)
                KillPoint.boxAnswered.pass()
                guard isSent, request.keepsConnection else { return }
                waiting.add(place)
            }
        }
    }

    /// - Returns: whether the whole answer was sent.
    private func send(
        _ reply: AccessPointReply, closing: Bool, over socket: AsyncSocket
    ) async -> Bool {
        switch reply {
        case .answer(let answer):
            return (try? await socket.write(Data(HTTPReply(answer).bytes(closing: closing)))) != nil
        case .half(let answer):
            let bytes = HTTPReply(answer).bytes(closing: closing)
            try? await socket.write(Data(bytes.prefix(bytes.count / 2)))
            return false
        case .none: return false
        }
    }

    private func read(from socket: AsyncSocket) async -> [UInt8]? {
        await withTaskGroup(of: [UInt8]?.self) { group in
            group.addTask { try? await socket.read(atMost: 4096) }
            group.addTask {
                try? await Task.sleep(for: Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
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
    fileprivate init(_ request: HTTPPost.Request) {
        self.init(
            endpoint: ProvisioningEndpoint(rawValue: request.path), session: request.session,
            body: request.body)
    }
}
