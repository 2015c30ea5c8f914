import DeviceDomain
import Provisioning
import Testing

@Suite struct StateMachineTests {
    private static let errors = [
        ProvisioningError(.connectionLost, "lost", .pressReset),
        ProvisioningError(.wrongProof, "wrong code", .checkLabel),
        ProvisioningError(.commitRefused, "refused", .contact),
        ProvisioningError(.otherProcess, "taken over", .runAgain),
    ]

    /// Every event that there is.
    private static let events: [@Sendable (inout ProvisioningStateMachine) -> ProvisioningAction] =
        [
            { $0.foundAccessPoint() }, { $0.foundInHome() }, { $0.connected() },
            { $0.connectedWhileJoining() }, { $0.sent() }, { $0.committed() }, { $0.rolledBack() },
            { $0.cancelled() }, { $0.retry(after: Self.errors[0]) },
            { $0.timedOut(Self.errors[0]) },
        ] + errors.map { error in { @Sendable machine in machine.failed(error) } }

    /// Everything that can be reached, by any events in any order.
    private static func explore() -> [ProvisioningStateMachine: [ProvisioningStateMachine]] {
        var known: [ProvisioningStateMachine: [ProvisioningStateMachine]] = [:]
        var open = [ProvisioningStateMachine(.boxed), ProvisioningStateMachine(.perhapsInHome)]
        while let machine = open.popLast() {
            guard known[machine] == nil else { continue }
            let next = events.map { event in
                var machine = machine
                #expect(event(&machine) == machine.action)
                return machine
            }
            known[machine] = next
            open += next
        }
        return known
    }

    @Test func everyStateCanBeReachedAndLeadsToAnEnd() {
        let graph = Self.explore()
        #expect(Set(graph.keys.map(\.state.phase)) == Set(ProvisioningPhase.allCases))
        var ending = Set(graph.keys.filter(\.hasEnded))
        while true {
            let more = graph.filter {
                !ending.contains($0.key) && !ending.isDisjoint(with: $0.value)
            }
            if more.isEmpty { break }
            ending.formUnion(more.keys)
        }
        #expect(ending.count == graph.count)
        #expect(graph.count > 100)
    }

    @Test func anEndIsFinal() {
        for (machine, next) in Self.explore() where machine.hasEnded {
            #expect(Set(next) == [machine])
        }
    }

    /// Failed and cancelled attempts were rolled back before they ended, and nothing else was.
    @Test func onlyWhatWasRolledBackHasFailed() {
        for (machine, nexts) in Self.explore() {
            for next in nexts where next.hasEnded && !machine.hasEnded {
                switch next.action {
                case .end(.failed), .end(.cancelled): #expect(machine.action == .rollBack)
                case .end(.provisioned): #expect(machine.action == .commit)
                case .end(.unknown): continue
                case .find, .connect, .send, .confirm, .commit, .rollBack:
                    Issue.record("\(next) has not ended")
                }
            }
        }
    }

    @Test func cancellingTakesBackInEveryStateButTheLast() {
        for machine in Self.explore().keys {
            var cancelled = machine
            let action = cancelled.cancelled()
            switch machine.state {
            case .scanning, .connectingToDeviceAP, .sendingWiFiCredentials,
                .confirmingCloudConnection:
                #expect(action == .rollBack)
            case .finalizing, .rollingBack, .ended: #expect(cancelled == machine)
            }
        }
    }

    @Test func aWrongCodeIsNotTriedAgain() {
        var machine = ProvisioningStateMachine()
        _ = machine.foundAccessPoint()
        #expect(machine.failed(Self.errors[1]) == .rollBack)
        #expect(machine.rolledBack() == .end(.failed(Self.errors[1])))
    }

    @Test func aLostAccessPointIsTriedThreeTimes() {
        var machine = ProvisioningStateMachine()
        _ = machine.foundAccessPoint()
        #expect(machine.failed(Self.errors[0]) == .connect)
        #expect(machine.timedOut(Self.errors[0]) == .connect)
        #expect(machine.failed(Self.errors[0]) == .rollBack)
    }

    @Test func silenceAfterTheCredentialsIsUnknown() {
        var machine = ProvisioningStateMachine()
        _ = machine.foundAccessPoint()
        _ = machine.connected()
        #expect(machine.sent() == .confirm)
        #expect(machine.timedOut(Self.errors[0]) == .end(.unknown(Self.errors[0])))
    }

    @Test func aDeviceThatMayBeInTheHomeIsNotGivenUp() {
        var machine = ProvisioningStateMachine(.perhapsInHome)
        #expect(machine.timedOut(Self.errors[0]) == .end(.unknown(Self.errors[0])))
        machine = ProvisioningStateMachine(.perhapsInHome)
        #expect(machine.foundInHome() == .commit)
    }
}

extension ProvisioningStateMachine {
    fileprivate var hasEnded: Bool {
        if case .ended = state { true } else { false }
    }
}
