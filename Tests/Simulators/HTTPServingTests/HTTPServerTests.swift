import Basics
import Glibc
import TestSupport
import Testing

@testable import HTTPServing

/// The server of metrics and access points, against clients over sockets.
@Suite(.timeLimit(.minutes(1))) struct HTTPServerTests {
    private typealias Answer = @Sendable (HTTPRequest) async throws -> HTTPOutcome

    private static let post =
        "POST /prov-session?x=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: a=1; session=42\r\n"
        + "Content-Length: 3\r\n\r\nabc"

    /// Runs `body` on a thread of its own beside a server, which answers with what it has read.
    private func beside(
        _ limits: HTTPServerLimits = Self.limits(),
        answering answer: @escaping Answer = Self.echo,
        _ body: @escaping @Sendable (UInt16) throws -> Void
    ) async throws {
        let server = try await HTTPServer(on: "127.0.0.1", port: 0, within: limits)
        let running = Task { try await server.run(answer) }
        try await onThread { try body(server.port) }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(!LoopbackConnection.isPossible(to: server.port))
    }

    private static func limits(
        timeout: Duration = .seconds(30), connections: Int = 8
    ) -> HTTPServerLimits {
        .calls(head: 4_096, body: 16, timeout: timeout, connections: connections)
    }

    private static let echo: Answer = { request in
        let text = String(decoding: request.body, as: UTF8.self)
        let cookie = request.cookie("session") ?? "none"
        return .reply(
            HTTPReply(
                200, cookie: "session=7",
                text: "\(request.path) \(cookie) \(text)\n"))
    }

    @Test func aRequestIsReadHoweverItComes() async throws {
        try await beside { port in
            let bytes = Array(Self.post.utf8)
            for cut in stride(from: 1, to: bytes.count, by: 7) {
                let client = try Client(port)
                try client.send(bytes[..<cut])
                try client.send(bytes[cut...])
                try client.finish()
                let answer = try client.rest()
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "cut at \(cut): \(answer)")
                #expect(answer.contains("\r\nSet-Cookie: session=7\r\n"))
                #expect(answer.hasSuffix("\r\n\r\n/prov-session 42 abc\n"))
            }
        }
    }

    @Test func requestsFollowEachOtherUntilOneCloses() async throws {
        try await beside { port in
            let client = try Client(port)
            try client.send(Array((Self.post + Self.post).utf8)[...])
            let last = "POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            try client.send(Array(last.utf8)[...])
            let answers = try client.rest()
            #expect(answers.ranges(of: "HTTP/1.1 200 OK").count == 3, "\(answers)")
            #expect(answers.contains("\r\nConnection: close\r\n"))
        }
    }

    @Test func aClientOfVersion10IsAnsweredOnce() async throws {
        try await beside { port in
            let client = try Client(port)
            try client.send(Array("POST / HTTP/1.0\r\nContent-Length: 0\r\n\r\n".utf8)[...])
            #expect(try client.rest().contains("\r\nConnection: close\r\n"))
        }
    }

    @Test func aServerOfPagesClosesAfterEachAnswer() async throws {
        let limits = HTTPServerLimits.pages(head: 8_192, timeout: .seconds(30), connections: 8)
        try await beside(limits) { port in
            for (request, status) in [
                ("GET /a?b HTTP/1.1\r\n\r\n", "200 OK"),
                ("POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\na", "405 Method Not Allowed"),
                ("GET / HTTP/1.1\r\nContent-Length: 1\r\n\r\na", "413 "),
            ] {
                let client = try Client(port)
                try client.send(Array(request.utf8)[...])
                let answer = try client.rest()
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
                #expect(answer.contains("\r\nConnection: close\r\n"))
            }
        }
    }

    @Test(arguments: [
        ("POST / HTTP/1.1\r\nContent-Length: 17\r\n\r\n", "413"),
        ("POST / HTTP/1.1\r\n\r\n", "411"), ("GET / HTTP/1.1\r\n\r\n", "405"),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n1\r\n", "400"),
        ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", "400"),
        ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400"),
        ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"),
        ("POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "400"),
        ("POST / HTTP/2\r\nContent-Length: 0\r\n\r\n", "400"),
        ("POST prov HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "400"),
        ("POST http://a/b HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "400"),
        ("POST / HTTP/1.1\r\nno colon\r\n\r\n", "400"), ("hello\r\n\r\n", "400"),
        ("POST /" + String(repeating: "x", count: 5_000), "431"),
        ("POST / HTTP/1.1\r\nX: " + String(repeating: "x", count: 5_000), "431"),
    ])
    func whatIsNoRequestIsRefused(text: String, status: String) async throws {
        try await beside { port in
            let client = try Client(port)
            try client.send(Array(text.utf8)[...])
            let answer = try client.rest()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        }
    }

    /// Each of them harms its own connection only.
    @Test func spoiledRequestsHarmNobody() async throws {
        try await beside(Self.limits(timeout: .milliseconds(200))) { port in
            var generator = SeededGenerator(seed: 5)
            for _ in 0..<300 {
                let client = try Client(port)
                try? client.send(generator.spoiled(Array(Self.post.utf8))[...])
                try? client.finish()
            }
            let client = try Client(port)
            try client.send(Array(Self.post.utf8)[...])
            try client.finish()
            #expect(try client.rest().hasPrefix("HTTP/1.1 200 OK"))
        }
    }

    /// Who holds many connections open keeps nobody away: the one that waits longest is closed.
    @Test func theConnectionThatWaitsLongestGoes() async throws {
        try await beside(Self.limits(connections: 2)) { port in
            let first = try Client(port)
            let others = try (0..<40).map { _ in try Client(port) }
            #expect(try first.rest() == "")
            let client = try Client(port)
            try client.send(Array(Self.post.utf8)[...])
            try client.finish()
            #expect(try client.rest().hasPrefix("HTTP/1.1 200 OK"))
            _ = others
        }
    }

    @Test func aSilentClientIsDisconnected() async throws {
        try await beside(Self.limits(timeout: .milliseconds(20))) { port in
            let client = try Client(port)
            try client.send(Array(Self.post.utf8).dropLast())
            #expect(try client.rest() == "")
        }
    }

    /// An answer that nobody reads is given up.
    @Test func aClientThatDoesNotReadIsDisconnected() async throws {
        let large = [UInt8](repeating: 0, count: 32 << 20)
        let server = try await HTTPServer(
            on: "127.0.0.1", port: 0,
            within: Self.limits(timeout: .milliseconds(200)))
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            try await server.run(
                { _ in .reply(HTTPReply(200, contentType: "a/b", body: large)) },
                sent: { end.finish() })
        }
        let client = try Client(server.port)
        try client.send(Array(Self.post.utf8)[...])
        for await _ in ends {}
        let answer = try await onThread { try client.rest() }
        #expect(answer.utf8.count < large.count)
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }

    @Test func aLargeAnswerIsWholeBeforeItsConnectionIsClosed() async throws {
        let large = [UInt8](repeating: 65, count: 16 << 20)
        let answer: Answer = { _ in .reply(HTTPReply(200, contentType: "a/b", body: large)) }
        try await beside(answering: answer) { port in
            let client = try Client(port)
            let text = "POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            try client.send(Array(text.utf8)[...])
            #expect(try client.rest().utf8.count > large.count)
        }
    }

    @Test func anAnswerMayBreakOff() async throws {
        let answer: Answer = { request in
            let reply = HTTPReply(200, text: "abcd")
            return request.path == "/half" ? .half(reply) : .nothing
        }
        try await beside(answering: answer) { port in
            for (path, expected) in [("half", "\r\n\r\nab"), ("nothing", "")] {
                let client = try Client(port)
                try client.send(
                    Array("POST /\(path) HTTP/1.1\r\nContent-Length: 0\r\n\r\n".utf8)[...])
                let answer = try client.rest()
                #expect(answer.hasSuffix(expected))
                #expect(answer.isEmpty == expected.isEmpty)
            }
        }
    }

    /// While as many are answered as there are places, another client waits and is answered then.
    @Test func clientsWaitWhileAllPlacesAreTaken() async throws {
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let gate = AnswerSlot<Void>()
        let server = try await HTTPServer(
            on: "127.0.0.1", port: 0, within: Self.limits(connections: 1))
        let running = Task {
            try await server.run { request in
                if request.path == "/first" {
                    start.finish()
                    await gate.value(ifCancelled: ())
                }
                return .reply(HTTPReply(200, text: request.path))
            }
        }
        let port = server.port
        let first = try Client(port)
        try first.send(Array("POST /first HTTP/1.1\r\nContent-Length: 0\r\n\r\n".utf8)[...])
        for await _ in starts {}
        let second = try Client(port)
        try second.send(Array("POST /second HTTP/1.1\r\nContent-Length: 0\r\n\r\n".utf8)[...])
        try second.finish()
        try first.finish()
        gate.resolve(())
        let answers = try await onThread { (try first.rest(), try second.rest()) }
        #expect(answers.0.hasSuffix("/first"))
        #expect(answers.1.hasSuffix("/second"))
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }

    /// Neither a client that has sent nothing nor one that takes no answer holds up the end of a server.
    @Test func cancellingClosesEveryConnection() async throws {
        let large = [UInt8](repeating: 0, count: 32 << 20)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let server = try await HTTPServer(on: "127.0.0.1", port: 0, within: Self.limits())
        let running = Task {
            try await server.run { _ in
                start.finish()
                return .reply(HTTPReply(200, contentType: "a/b", body: large))
            }
        }
        let silent = try Client(server.port)
        let reader = try Client(server.port)
        try reader.send(Array(Self.post.utf8)[...])
        for await _ in starts {}
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(!LoopbackConnection.isPossible(to: server.port))
        let rest = try await onThread { try silent.rest() }
        #expect(rest == "")
    }

    @Test func whatTheAnswerThrowsEndsTheServer() async throws {
        struct Mishap: Error {}
        let server = try await HTTPServer(
            on: "127.0.0.1", port: 0, within: Self.limits())
        let running = Task { try await server.run { _ in throw Mishap() } }
        let port = server.port
        try await onThread {
            let client = try Client(port)
            try client.send(Array(Self.post.utf8)[...])
            #expect(try client.rest() == "")
        }
        await #expect(throws: Mishap.self) { try await running.value }
    }

    @Test func aPortThatIsTakenIsNamed() async throws {
        let taken = try LoopbackListener()
        defer { taken.close() }
        await #expect {
            _ = try await HTTPServer(
                on: "127.0.0.1", port: taken.port,
                within: Self.limits())
        } throws: {
            "\($0)" == "Address already in use"
        }
    }
}

/// A client with blocking calls.
private final class Client: Sendable {
    private let socket: Int32

    init(_ port: UInt16) throws {
        let number = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        socket = number
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw TestSupportError("no server on port \(port): \(errno)") }
    }

    deinit { close(socket) }

    func send(_ bytes: ArraySlice<UInt8>) throws {
        let count = bytes.withUnsafeBytes {
            Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count == bytes.count else { throw TestSupportError("not sent: \(errno)") }
    }

    /// Nothing more is sent.
    func finish() throws { shutdown(socket, Int32(SHUT_WR)) }

    /// What comes until the connection ends.
    func rest() throws -> String {
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(socket, &part, part.count, 0), count > 0 {
            answer += part.prefix(count)
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
