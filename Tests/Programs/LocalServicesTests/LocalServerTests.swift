import Glibc
import TestSupport
import Testing

@testable import LocalServices

/// Programs of one user that ask each other over a socket.
@Suite(.timeLimit(.minutes(1))) struct LocalServerTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/server.sock" }

    init() throws { folder = try TemporaryFolder() }

    /// Runs `body` on a thread of its own beside a server.
    private func beside(
        greeting: [UInt8]? = nil, _ answer: @escaping LocalServer.Answer,
        _ body: @escaping @Sendable (String) throws -> Void
    ) async throws {
        let server = try LocalServer(at: path, requestsOf: 8, greeting: greeting)
        let running = Task { try await server.run(answer) }
        let path = path
        try await onThread { try body(path) }
        running.cancel()
        try await running.value
        #expect(access(path, F_OK) != 0)
    }

    private static let echo: LocalServer.Answer = { line, connection in
        let text = (try? line.get()) ?? Array("too long".utf8)
        try? await connection.write(text + [UInt8(ascii: "\n")])
    }

    @Test func theSocketIsTheUsersOwnAndReplacesOneThatWasLeft() async throws {
        let left = try LocalServer(at: path, requestsOf: 8)
        _ = left
        try await beside(Self.echo) { path in
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
            var call = try LocalCall(to: path, linesOf: 8)
            try call.send(Array("one".utf8))
            #expect(try call.line() == Array("one".utf8))
            #expect(try call.line() == nil)
        }
    }

    @Test func aRequestThatIsTooLongIsAnswered() async throws {
        try await beside(Self.echo) { path in
            var call = try LocalCall(to: path, linesOf: 8)
            try call.send(Array("123456789".utf8))
            #expect(try call.line() == Array("too long".utf8))
        }
    }

    /// Who connects and is silent keeps nobody away.
    @Test func manySilentConnectionsKeepNobodyAway() async throws {
        try await beside(greeting: Array("ready".utf8), Self.echo) { path in
            let silent = try (0..<64).map { _ in
                let call = try LocalCall(to: path, linesOf: 8)
                return dup(call.descriptor)
            }
            defer { for descriptor in silent { close(descriptor) } }
            var call = try LocalCall(to: path, linesOf: 8)
            #expect(try call.line() == Array("ready".utf8))
            try call.send(Array("one".utf8))
            #expect(try call.line() == Array("one".utf8))
        }
    }

    /// A caller that writes more than its request, or goes away, interrupts the answer.
    @Test(arguments: [false, true])
    func aCallerInterrupts(byLeaving: Bool) async throws {
        let (interruptions, interrupt) = AsyncStream.makeStream(of: Void.self)
        let server = try LocalServer(at: path, requestsOf: 8)
        let running = Task {
            try await server.run { _, connection in
                await connection.interruption()
                interrupt.finish()
            }
        }
        let path = path
        try await onThread {
            let call = try LocalCall(to: path, linesOf: 8)
            try call.send(Array("one".utf8))
            if byLeaving { return }
            try call.send([])
            // The server closes the connection once it was interrupted.
            var entry = pollfd(fd: call.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&entry, 1, 20_000) == 1)
        }
        for await _ in interruptions {}
        running.cancel()
        try await running.value
    }

    @Test func aPathThatIsTooLongIsRefused() {
        let path = "/tmp/" + String(repeating: "a", count: 110)
        let error = #expect(throws: LocalServicesError.self) {
            try LocalServer(at: path, requestsOf: 8)
        }
        #expect(error?.message.contains("XDG_RUNTIME_DIR") == true)
    }

    @Test func nobodyAnswersInTime() throws {
        let server = try LocalServer(at: path, requestsOf: 8)
        _ = server
        var call = try LocalCall(to: path, linesOf: 8)
        let error = #expect(throws: LocalServicesError.self) { try call.line(before: .now) }
        #expect(error?.code == .unanswered)
    }
}
