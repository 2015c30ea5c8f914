import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// What a device says and records, without a device around it.
@Suite struct DeviceOutputTests {
    private static let start = BenchClock().now

    private func output(
        having faults: ActiveFaults = .none, telling: Bool = false, claim: ClaimNonce? = nil
    ) throws -> DeviceOutput {
        DeviceOutput(
            try .sample(claim: claim), restoring: .empty, having: faults,
            sessionExpiry: .seconds(3600), tellingWhatItMakes: telling, at: Self.start)
    }

    private func command(_ order: Order) -> PendingCommand {
        PendingCommand(
            message: order.message,
            arrival: ArrivedCommand(
                payload: order.payload, isRetained: false, responseTopic: nil, lane: .normal))
    }

    @Test func eventsWaitForAConnectionAndTheOldestGoes() throws {
        var output = try output()
        for _ in 0..<DeviceLink.heldEventLimit { output.announce(.docked, [:]) }
        #expect(output.takeActions().isEmpty)
        output.announce(.lowBattery, [:])
        #expect(output.takeActions().outline == ["count dropped-event"])
        output.connect()
        let said = output.takeActions().outline
        #expect(said.prefix(3) == ["description", "presence online", "state 0"])
        #expect(said.count == 3 + DeviceLink.heldEventLimit)
        #expect(said[3] == "event docked" && said.last == "event low-battery")
    }

    @Test func whatIsMadeIsToldWithoutAConnectionAndRepetitionsAreNot() throws {
        var output = try output(telling: true)
        output.announce(.docked, [:])
        output.publishState()
        #expect(output.takeActions().outline == ["made", "made", "made"])
        output.connect()
        #expect(!output.takeActions().outline.contains("made"))
    }

    @Test func aSampleIsOneOfTheInstantsThatWereCounted() throws {
        var output = try output()
        output.connect()
        _ = output.takeActions()
        output.countSamples(3)
        output.sample { json in json.writeObject { $0.write(2.5, as: .depthM) } }
        let sample = try #require(output.takeActions().samples.first)
        #expect(sample.n == 3 && sample.values == ["depthM": 2.5])
        #expect(sample.at == Self.start.world)
    }

    @Test func aDeviceComesBackWhenTheLastReasonIsGone() throws {
        var output = try output()
        output.connect()
        _ = output.takeActions()
        output.leave(for: .fault)
        output.leave(for: .darkHome)
        output.comeBack(from: .fault)
        output.comeBack(from: .off)
        #expect(output.takeActions().outline == ["drop connection"])
        #expect(!output.absences.isEmpty && !output.link.isConnected)
        output.comeBack(from: .darkHome)
        #expect(output.takeActions().outline == ["connect"])
    }

    @Test func aDeviceThatStartsWithTheFaultIsAway() throws {
        var faults = ActiveFaults.none
        faults.insert(try Fault(.offline), until: nil, at: Self.start)
        #expect(try output(having: faults).absences == .fault)
    }

    @Test func lateAcksLeaveWhenTheyAreDueAndNoneWhileNoneMay() throws {
        var output = try output()
        output.connect()
        _ = output.takeActions()
        let order = try Order("locate")
        output.follow(try .only(.slow))
        output.enter(command(order), ending: .succeeded())
        #expect(output.takeActions().outline == ["record entered"])
        #expect(output.link.nextDue == Self.start.monotonic + .seconds(3))
        output.sendDelayedAcks(dueBy: Self.start.monotonic + .seconds(2))
        #expect(output.takeActions().isEmpty)
        output.sendDelayedAcks(dueBy: Self.start.monotonic + .seconds(3))
        #expect(output.takeActions().outline == ["ack succeeded 1"])

        output.follow(try .only(.mute))
        output.enter(command(try Order("locate")), ending: .succeeded())
        #expect(output.takeActions().outline == ["record entered"])
        output.follow(.none)
        output.sendWithheldAcks()
        #expect(output.takeActions().outline == ["ack succeeded 1", "ack succeeded 1"])
    }

    @Test func acksOfACommandAreNumberedAndItEndsOnce() throws {
        var output = try output()
        output.connect()
        let order = try Order("start-cleaning")
        let key = command(order).key
        let isAccepted = output.accept(command(order), saying: .accepted)
        #expect(isAccepted)
        output.start(key)
        output.progress(key, percent: 40)
        output.finish([CommandEnding(key, .succeeded())])
        output.finish([CommandEnding(key, .failed(.stuck, "too late"))])
        output.progress(key, percent: 50)
        let acks = output.takeActions().acks
        #expect(acks.map(\.verdict) == ["accepted/OK", "progress/OK", "succeeded/OK"])
        #expect(acks.map(\.n) == [1, 2, 3] && acks.map(\.executions) == [0, 1, 1])
        output.confirm(Confirmation(command: key))
        output.confirm(Confirmation(command: key))
        #expect(output.takeActions().outline == ["record confirmed"])
        output.publishUnconfirmedFinals()
        #expect(output.takeActions().isEmpty)
    }

    @Test func aCommittedClaimIsNoLongerNamed() throws {
        let claim = try #require(ClaimNonce(rawValue: "n-1"))
        var output = try output(claim: claim)
        #expect(output.presence(.online).report.claim == claim)
        #expect(output.presence(.offline).report.claim == nil)
        output.record(.committed(claim))
        #expect(output.presence(.online).report.claim == nil)
    }

    @Test func theMemoryIsRecordedWhenItChanged() throws {
        var output = try output()
        for x in [1, 1, 2] { output.save(memory: Array(#"{"x":\#(x)}"#.utf8)) }
        #expect(output.takeActions().outline == ["record memory", "record memory"])
    }
}

extension ActiveFaults {
    /// One fault with its usual parameters.
    fileprivate static func only(_ name: SimulatedFault) throws -> ActiveFaults {
        var faults = ActiveFaults.none
        faults.insert(try Fault(name), until: nil, at: BenchClock().now)
        return faults
    }
}

/// The messages of a device.
@Suite struct DeviceReporterTests {
    @Test func measuredMembersHaveATurnHalfAMinuteAfterTheLastState() throws {
        var reporter = try DeviceReporter.sample()
        let start = BenchClock().world
        func after(_ seconds: Int) -> Timestamp { start.advanced(by: .seconds(seconds)) }
        let first = [29, 30, 59].map { reporter.takeMeasuredTurn(at: after($0)) }
        #expect(first == [false, true, false])
        reporter.stateWasPublished(at: after(59))
        let second = [88, 89].map { reporter.takeMeasuredTurn(at: after($0)) }
        #expect(second == [false, true])
    }

    @Test func aMeasuredMemberIsNewUntilTheStateHasIt() throws {
        var reporter = try DeviceReporter.sample()
        let recorded = RecordedState(
            revision: 4, controlled: ["activity": "idle"], by: nil, at: BenchClock().world)
        #expect(reporter.isNew(measured: ["batteryPercent": 80]))
        reporter.setState(recorded, measured: ["batteryPercent": 80], at: BenchClock().world)
        #expect(reporter.lastState.state == ["activity": "idle", "batteryPercent": 80])
        #expect(reporter.lastState.revision == 4)
        #expect(!reporter.isNew(measured: ["batteryPercent": 80]))
        #expect(reporter.isNew(measured: ["batteryPercent": 79]))
    }

    @Test func theAnswerToAHelloHasATimeOfItsOwn() throws {
        let reporter = try DeviceReporter.sample()
        let delays = ["a", "b"].map {
            reporter.delay(answering: HelloMessage(nonce: $0, spread: .seconds(2)))
        }
        #expect(
            delays.allSatisfy { (.zero ... .seconds(2)).contains($0) } && delays[0] != delays[1])
        #expect(reporter.delay(answering: HelloMessage(nonce: "a", spread: .zero)) == .zero)
    }

    @Test func eventsHaveIdsOfTheirOwn() throws {
        var reporter = try DeviceReporter.sample()
        let ids = (0..<3).map { _ in reporter.event(.docked, [:], at: BenchClock().world).id }
        #expect(Set(ids).count == 3)
    }
}

extension DeviceReporter {
    /// Of a device that takes the common commands and `start-cleaning`.
    static func sample(claim: ClaimNonce? = nil) throws -> DeviceReporter {
        let identity = try DeviceBench.identity("sweeper-s1")
        let cleaning = CommandSpecification(
            name: .startCleaning, arguments: .nothing, sort: .action)
        let profile = BehaviourCatalog.standard.profile(
            of: identity, taking: CommandSpecification.ofEveryDevice + [cleaning], on: nil)
        return DeviceReporter(
            of: profile, as: identity, seed: 1, boot: try BootID("b1"), claim: claim,
            at: BenchClock().world)
    }
}

/// When a device follows the power of its home.
@Suite struct PowerChangeTests {
    @Test func eachDeviceFollowsAtATimeOfItsOwn() throws {
        let start = BenchClock().world
        func delays(isOn: Bool) throws -> [Double] {
            try (1...40).map { number in
                let identity = DeviceIdentity(
                    home: try HomeID("home-1"), device: try DeviceID("d-\(number)"),
                    model: DeviceModel(rawValue: "sweeper-s1"), name: "")
                let change = PowerChange(isOn: isOn, at: start, of: identity)
                return change.due.since(start).seconds
            }
        }
        let (off, on) = (try delays(isOn: false), try delays(isOn: true))
        #expect(off.allSatisfy { (0...10).contains($0) } && on.allSatisfy { (5...60).contains($0) })
        #expect(Set(off).count > 35 && Set(on).count > 35)
        #expect(try delays(isOn: true) == on)
    }
}
