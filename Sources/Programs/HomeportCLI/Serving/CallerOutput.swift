import Basics
import Homeport

/// What a server has for the process that called it, until it is sent. Whoever writes never waits.
final class CallerOutput: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isGone = false
    }

    private let state = Guarded(State())
    private let news: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation

    init() {
        (news, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds a reply.
    /// - Returns: whether the caller is still there.
    @discardableResult
    func add(_ reply: CallReply) -> Bool {
        let line = reply.line + [UInt8(ascii: "\n")]
        let isThere = state.withLock { state in
            if !state.isGone { state.bytes += line }
            return !state.isGone
        }
        tell.yield()
        return isThere
    }

    /// No reply follows.
    func finish() { tell.finish() }

    /// The caller has gone away: what is written from now on is dropped.
    func drop() {
        state.withLock { state in
            state.isGone = true
            state.bytes = []
        }
    }

    /// Sends what comes until ``finish()``.
    func send(_ write: ([UInt8]) async throws -> Void) async {
        do {
            for await _ in news { try await sendPending(write) }
            try await sendPending(write)
        } catch {
            drop()
        }
    }

    private func sendPending(_ write: ([UInt8]) async throws -> Void) async throws {
        let bytes = state.withLock { state in
            defer { state.bytes = [] }
            return state.bytes
        }
        if !bytes.isEmpty { try await write(bytes) }
    }
}
