import Testing

@testable import MQTTClient

/// Every state meets every event.
@Suite struct MQTTConnectionStateMachineTests {
    enum Stage: String, CaseIterable {
        case idle, resolving, queued, connecting, connected, backingOff, stopped, draining
        case lingering, closed
    }

    enum Event: String, CaseIterable {
        case start, resolved, permitted, accepted, lost, refusedForGood, retryDue, close, drained
        case lingerEnded, abort
    }

    /// The new state and the action for each event. Events that are not listed change nothing.
    static let transitions: [Stage: [Event: (Stage, String)]] = [
        .idle: [
            .start: (.resolving, "resolve"), .close: (.closed, "finish"),
            .abort: (.closed, "finish"),
        ],
        .resolving: [
            .resolved: (.queued, "awaitPermission"), .lost: (.backingOff, "retry"),
            .refusedForGood: (.stopped, "stop"), .close: (.closed, "finish"),
            .abort: (.closed, "finish"),
        ],
        .queued: [
            .permitted: (.connecting, "open"), .lost: (.backingOff, "retry"),
            .refusedForGood: (.stopped, "stop"), .close: (.closed, "finish"),
            .abort: (.closed, "finish"),
        ],
        .connecting: [
            .accepted: (.connected, "announceConnected"), .lost: (.backingOff, "retry"),
            .refusedForGood: (.stopped, "stop"), .close: (.closed, "finish"),
            .abort: (.closed, "finish"),
        ],
        .connected: [
            .lost: (.backingOff, "retry"), .refusedForGood: (.stopped, "stop"),
            .close: (.draining, "drain"), .abort: (.closed, "finish"),
        ],
        .backingOff: [
            .retryDue: (.resolving, "resolve"), .close: (.closed, "finish"),
            .abort: (.closed, "finish"),
        ],
        .stopped: [
            .start: (.resolving, "resolve"), .close: (.closed, "finish"),
            .abort: (.closed, "finish"),
        ],
        .draining: [
            .drained: (.lingering, "disconnect"), .lost: (.closed, "finish"),
            .refusedForGood: (.closed, "finish"), .abort: (.closed, "finish"),
        ],
        .lingering: [
            .lingerEnded: (.closed, "finish"), .lost: (.closed, "finish"),
            .refusedForGood: (.closed, "finish"), .abort: (.closed, "finish"),
        ],
        .closed: [:],
    ]

    @Test(arguments: Stage.allCases, Event.allCases)
    func everyEventInEveryState(stage: Stage, event: Event) throws {
        var machine = try machine(at: stage)
        let action = apply(event, to: &machine)
        let (next, name) = Self.transitions[stage]?[event] ?? (stage, "none")
        #expect(self.stage(of: machine) == next)
        #expect(self.name(of: action) == name)
        #expect(machine.isConnected == (next == .connected))
    }

    @Test func anotherAddressIsTriedAtOnceWhenOneIsUnreachable() throws {
        var machine = try machine(at: .resolving)
        _ = machine.resolved(["::1", "127.0.0.1"])
        _ = machine.permitted(until: 1_000)
        var generator = LargestNumbers()
        let refused = MQTTError(.unreachable, "refused", isRetriable: true)
        let second = machine.failed(refused, at: 0, using: &generator)
        guard case .open(let address) = second else {
            Issue.record("expected another attempt, not \(second)")
            return
        }
        #expect(address == "127.0.0.1")
        let third = machine.failed(refused, at: 0, using: &generator)
        #expect(name(of: third) == "retry")
    }

    @Test func stableConnectionsStartTheBackoffAgain() throws {
        var machine = try machine(at: .idle, initial: .seconds(1))
        var generator = LargestNumbers()
        let lost = MQTTError(.keepAliveTimeout, "silence", isRetriable: true)
        for round in 0..<4 {
            connect(&machine, at: 0)
            let delay = delay(of: machine.failed(lost, at: 1_000_000_000, using: &generator))
            #expect(delay == .seconds(1 << round))
        }
        connect(&machine, at: 0)
        let afterStable = machine.failed(lost, at: 31_000_000_000, using: &generator)
        #expect(delay(of: afterStable) == .seconds(1))
    }

    @Test func eachFailureLeadsToTheNextBroker() throws {
        var machine = try machine(brokers: 3)
        var seen: [Int] = []
        for _ in 0..<7 {
            _ = machine.start()
            _ = machine.retryDue()
            seen.append(machine.broker)
            _ = apply(.lost, to: &machine)
        }
        #expect(seen == [0, 1, 2, 0, 1, 2, 0])
    }

    @Test func aStableConnectionLeadsBackToTheFirstBroker() throws {
        var machine = try machine(brokers: 3)
        var generator = LargestNumbers()
        let lost = MQTTError(.keepAliveTimeout, "silence", isRetriable: true)
        var seen: [Int] = []
        for uptime in [1, 29, 30, 1] as [UInt64] {
            connect(&machine, at: 0)
            seen.append(machine.broker)
            _ = machine.failed(lost, at: uptime * 1_000_000_000, using: &generator)
        }
        connect(&machine, at: 0)
        #expect(seen + [machine.broker] == [0, 1, 2, 0, 1])
    }

    @Test func theBrokerStaysUntilTheNextAttempt() throws {
        var machine = try machine(brokers: 2)
        connect(&machine, at: 0)
        _ = apply(.lost, to: &machine)
        #expect(machine.broker == 0)
        _ = machine.retryDue()
        #expect(machine.broker == 1)
    }

    @Test func aNewStartBeginsWithTheFirstBroker() throws {
        var machine = try machine(brokers: 2)
        connect(&machine, at: 0)
        _ = apply(.lost, to: &machine)
        _ = machine.retryDue()
        _ = apply(.refusedForGood, to: &machine)
        _ = machine.start()
        #expect(machine.broker == 0)
    }

    /// Earlier failures do not count any more, neither for the budget nor for the backoff.
    @Test func aNewStartForgetsEarlierFailures() throws {
        var machine = try machine(brokers: 1)
        var generator = LargestNumbers()
        let fault = MQTTError(
            .serverDisconnected, "too large", reasonCode: .packetTooLarge, isRetriable: true)
        connect(&machine, at: 0)
        _ = machine.failed(fault, at: 1, using: &generator)
        connect(&machine, at: 2)
        #expect(isStop(machine.failed(fault, at: 3, using: &generator)))
        _ = machine.start()
        #expect(isCharged(machine.resolved(["127.0.0.1"])) == false)
        _ = machine.permitted(until: 1_000)
        _ = machine.accepted(at: 4)
        #expect(!isStop(machine.failed(fault, at: 5, using: &generator)))
    }

    private func isStop(_ action: MQTTConnectionStateMachine.Action) -> Bool {
        if case .stop = action { true } else { false }
    }

    @Test func onlyAttemptsAfterAFailureAreCharged() throws {
        var machine = try machine(brokers: 1)
        _ = machine.start()
        #expect(isCharged(machine.resolved(["127.0.0.1"])) == false)
        _ = apply(.lost, to: &machine)
        _ = machine.retryDue()
        #expect(isCharged(machine.resolved(["127.0.0.1"])) == true)
    }

    private func machine(brokers: Int) throws -> MQTTConnectionStateMachine {
        MQTTConnectionStateMachine(
            policy: MQTTReconnectPolicy(), clientID: try MQTTClientID("machine"),
            brokers: brokers)
    }

    private func isCharged(_ action: MQTTConnectionStateMachine.Action) -> Bool? {
        if case .awaitPermission(let isRetry) = action { isRetry } else { nil }
    }

    // MARK: Ways to a state

    private func machine(
        at stage: Stage, initial: Duration = .seconds(1)
    ) throws -> MQTTConnectionStateMachine {
        var machine = MQTTConnectionStateMachine(
            policy: MQTTReconnectPolicy(initial: initial), clientID: try MQTTClientID("machine"))
        let path: [Event] =
            switch stage {
            case .idle: []
            case .resolving: [.start]
            case .queued: [.start, .resolved]
            case .connecting: [.start, .resolved, .permitted]
            case .connected: [.start, .resolved, .permitted, .accepted]
            case .backingOff: [.start, .lost]
            case .stopped: [.start, .refusedForGood]
            case .draining: [.start, .resolved, .permitted, .accepted, .close]
            case .lingering: [.start, .resolved, .permitted, .accepted, .close, .drained]
            case .closed: [.abort]
            }
        for event in path { _ = apply(event, to: &machine) }
        #expect(self.stage(of: machine) == stage)
        return machine
    }

    private func connect(_ machine: inout MQTTConnectionStateMachine, at now: UInt64) {
        _ = machine.start()
        _ = machine.retryDue()
        _ = machine.resolved(["127.0.0.1"])
        _ = machine.permitted(until: 1_000)
        _ = machine.accepted(at: now)
    }

    private func apply(
        _ event: Event, to machine: inout MQTTConnectionStateMachine
    ) -> MQTTConnectionStateMachine.Action {
        var generator = LargestNumbers()
        let lost = MQTTError(.connectionLost, "lost", isRetriable: true)
        let refused = MQTTError(.connectionRefused, "no", reasonCode: .notAuthorized)
        return switch event {
        case .start: machine.start()
        case .resolved: machine.resolved(["127.0.0.1"])
        case .permitted: machine.permitted(until: 1_000)
        case .accepted: machine.accepted(at: 0)
        case .lost: machine.failed(lost, at: 0, using: &generator)
        case .refusedForGood: machine.failed(refused, at: 0, using: &generator)
        case .retryDue: machine.retryDue()
        case .close: machine.close(DrainProgress(end: 0) { _ in })
        case .drained: machine.drained()
        case .lingerEnded: machine.lingerEnded()
        case .abort: machine.abort()
        }
    }

    private func stage(of machine: MQTTConnectionStateMachine) -> Stage {
        switch machine.state {
        case .idle: .idle
        case .resolving: .resolving
        case .queued: .queued
        case .connecting: .connecting
        case .connected: .connected
        case .backingOff: .backingOff
        case .stopped: .stopped
        case .draining: .draining
        case .lingering: .lingering
        case .closed: .closed
        }
    }

    private func name(of action: MQTTConnectionStateMachine.Action) -> String {
        switch action {
        case .none: "none"
        case .resolve: "resolve"
        case .awaitPermission: "awaitPermission"
        case .open: "open"
        case .announceConnected: "announceConnected"
        case .retry: "retry"
        case .stop: "stop"
        case .drain: "drain"
        case .disconnect: "disconnect"
        case .finish: "finish"
        }
    }

    private func delay(of action: MQTTConnectionStateMachine.Action) -> Duration? {
        if case .retry(_, let delay) = action { delay } else { nil }
    }
}

/// Always the upper end of a range. Counts, because ThreadSanitizer cannot follow `inout` values that
/// occupy no memory.
struct LargestNumbers: RandomNumberGenerator {
    private(set) var count = 0

    mutating func next() -> UInt64 {
        count += 1
        return .max
    }
}
