internal import Basics
private import Glibc
private import MQTTClient

/// Runs `body` with an `openssl s_server` that takes one connection and ends.
package func withTLSPeer<Value>(
    _ certificates: TestCertificates, certificate: String, key: String? = nil,
    options: [String] = [], body: (TLSPeer) async throws -> Value
) async throws -> Value {
    let peer = try await TLSPeer.start(
        [
            "-cert", certificates[certificate], "-key", key ?? certificates.key, "-naccept", "1",
        ] + options)
    do {
        let value = try await body(peer)
        await peer.stop()
        return value
    } catch {
        await peer.stop()
        throw error
    }
}

/// A TLS server that prints what it decrypts and sends what it is told to.
package final class TLSPeer: Sendable {
    private struct State {
        var transcript: [UInt8] = []
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let child: SpawnedProcess
    private let state = Guarded(State())
    /// Where it listens.
    package let port: UInt16

    private init(_ child: SpawnedProcess, port: UInt16) {
        self.child = child
        self.port = port
    }

    static func start(_ options: [String]) async throws -> TLSPeer {
        try await withCheckedThrowingContinuation { continuation in
            detachThread {
                do throws(TestSupportError) {
                    let child = try SpawnedProcess(
                        ["openssl", "s_server", "-accept", "127.0.0.1:0"] + options)
                    let peer = TLSPeer(child, port: try listeningPort(of: child))
                    continuation.resume(returning: peer)
                    peer.listen()
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    /// Sends bytes to the client. The first must not be a letter, which would be a command.
    package func send(_ bytes: [UInt8]) {
        child.write(bytes)
    }

    /// Waits until it has printed the bytes, so often; false if it ended without.
    package func waits(for bytes: [UInt8], count: Int = 1) async -> Bool {
        while true {
            let (found, hasEnded) = state.withLock { state in
                (state.transcript.occurrences(of: bytes), state.hasEnded)
            }
            if found >= count { return true }
            if hasEnded { return false }
            await change(since: found, of: bytes)
        }
    }

    /// All that it printed, once it has ended.
    package func transcript() async -> [UInt8] {
        while !state.withLock({ $0.hasEnded }) { await change(since: .max, of: []) }
        return state.withLock { $0.transcript }
    }

    /// Ends it.
    package func stop() async {
        state.withLock { if !$0.hasEnded { kill(child.processID, SIGTERM) } }
        _ = await transcript()
    }

    private func change(since count: Int, of bytes: [UInt8]) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                let isNew = count != .max && state.transcript.occurrences(of: bytes) > count
                if !state.hasEnded, !isNew { state.waiters.append(continuation) }
                return state.hasEnded || isNew
            }
            if isOver { continuation.resume() }
        }
    }

    /// Reads until the program ends.
    private func listen() {
        while let part = child.read() {
            notify { $0.transcript += part }
        }
        state.withLock { state in
            // From here on the identifier may be another process's.
            state.hasEnded = true
            _ = child.collect()
        }
        notify { _ in }
    }

    private func notify(_ change: @Sendable (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// From its line `ACCEPT 127.0.0.1:PORT`.
    private static func listeningPort(of child: SpawnedProcess) throws(TestSupportError) -> UInt16 {
        var text = ""
        while let part = child.read() {
            text += String(decoding: part, as: UTF8.self)
            guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("ACCEPT") }),
                text.hasSuffix("\n"), let colon = line.lastIndex(of: ":"),
                let port = UInt16(line[line.index(after: colon)...])
            else { continue }
            return port
        }
        _ = child.collect()
        throw TestSupportError("openssl s_server ended: \(text)")
    }
}

extension [UInt8] {
    /// How often the bytes occur.
    package func occurrences(of bytes: [UInt8]) -> Int {
        guard !bytes.isEmpty, count >= bytes.count else { return 0 }
        return (0...(count - bytes.count)).reduce(0) { sum, start in
            self[start..<(start + bytes.count)].elementsEqual(bytes) ? sum + 1 : sum
        }
    }
}
