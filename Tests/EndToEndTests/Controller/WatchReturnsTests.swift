import Glibc
import TestSupport
import Testing

/// `homeport watch` from outside, with a broker that does not want it.
@Suite(.timeLimit(.minutes(1)))
struct WatchReturnsTests {
    /// What the broker does.
    enum Trouble: String, CaseIterable, Sendable {
        /// Hangs up before CONNACK.
        case drops
        /// Does not listen.
        case refuses
        /// Accepts, and sends DISCONNECT with "maximum connect time".
        case disconnects
        /// Never answers.
        case isMute
    }

    /// Every process announces its pauses with `--verbose`. How they grow is tested where they are
    /// made, in `DeviceAdvisorTests` and `BackoffTests`.
    @Test func watchComesBackAtRandomTimes() async throws {
        try await withThrowingTaskGroup(of: (Trouble, [Duration]).self) { group in
            for trouble in Trouble.allCases {
                group.addTask { (trouble, try await announcedPauses(with: trouble)) }
            }
            for try await (trouble, pauses) in group {
                #expect(pauses.count == 3, "\(trouble)")
                #expect(Set(pauses).count == 3, "\(trouble): \(pauses)")
                #expect(pauses.allSatisfy { $0 <= .seconds(10) }, "\(trouble): \(pauses)")
            }
        }
    }

    /// The pauses that one process announces.
    private func announcedPauses(with trouble: Trouble) async throws -> [Duration] {
        if trouble == .refuses {
            return try await announcedPauses(at: "mqtt://127.0.0.1:\(freePort())")
        }
        return try await withFakeBroker { broker in
            try await announcedPauses(at: broker.url)
        } broker: { broker in
            try broker.serve { try Self.make(trouble, for: $0) }
        }
    }

    private static func make(_ trouble: Trouble, for peer: FakeBrokerPeer) throws {
        _ = try peer.readConnect()
        switch trouble {
        case .drops, .refuses: peer.cut()
        case .disconnects:
            try peer.send(.connack(peer.version))
            try peer.send(.disconnect(0xA0))
            _ = peer.readToEnd()
        case .isMute: _ = peer.readToEnd()
        }
    }

    private func announcedPauses(at url: String) async throws -> [Duration] {
        let program = try ChildProcess.path(of: "homeport")
        let state = try TemporaryFolder()
        let ending = try await ChildProcess.run(
            "env",
            [
                "XDG_STATE_HOME=\(state.path)", program, "watch", "--broker", url,
                "--connect-timeout", "100ms", "--verbose",
            ], reading: .errors
        ) { watch in
            var pauses: [Duration] = []
            while pauses.count < 3, let line = try await watch.line() {
                if let pause = Self.pause(in: line) { pauses.append(pause) }
            }
            watch.interrupt()
            return pauses
        }
        #expect(ending.status == 0)
        return withExtendedLifetime(state) { ending.value }
    }

    /// From `… retry-in=0.25 seconds …`.
    private static func pause(in line: String) -> Duration? {
        guard let range = line.firstRange(of: "retry-in=") else { return nil }
        let number = line[range.upperBound...].prefix { $0 != " " }
        return Double(number).map { .seconds($0) }
    }
}
