import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeportTesting
import TestSupport
import Testing

/// Settings that the link keeps for a device that is away, with ledger and channel.
@Suite(.timeLimit(.minutes(1))) struct InvokerKeepingTests {
    private let dead: InMemoryCommandLedger
    private let bench: InvokerBench
    private let schedule: JSONValue = [["weekday": 1, "at": "09:30", "program": "floor"]]

    init() throws {
        dead = InMemoryCommandLedger()
        bench = try InvokerBench(ledger: dead.anotherProcess())
    }

    @Test func itIsWrittenWhileTheDeviceIsAwayAndSucceedsWhenItReportsIt() async throws {
        bench.channel.keep(
            DesiredSettings(revision: 7, members: ["light": true]), for: bench.device,
            in: bench.home)
        try await bench.invoker.whileRunning {
            let record = try await submit(schedule, to: .offline)
            #expect(record.intent.expiresAt == bench.clock.now.wall.advanced(by: .seconds(86_400)))
            let delivered = try await bench.invoker.outcome(of: record.id, goal: .delivered)
            #expect(delivered.record.state == .sent)
            #expect(delivered.record.progress.desiredRevision == 8)
            let kept = try #require(await nextKept())
            #expect(kept.revision == 8)
            #expect(kept.members == ["light": true, "schedule": schedule])
            bench.presence(.online)
            report(7, [:])
            report(8, ["schedule": schedule])
            let end = try await bench.invoker.outcome(of: record.id)
            #expect(end.record.state == .succeeded)
            #expect(end.record.progress.timings.observedAt != nil)
            #expect(try await bench.log(of: record.id).contains(.observed))
        }
        await bench.channel.close()
        #expect(await bench.nextSend() == nil, "the device got no command")
    }

    /// Another process of the ledger has got revision 8, and has not written it yet.
    @Test func noOtherDocumentGetsItsRevision() async throws {
        bench.ledger.countRevisions()
        let settings = DesiredSettings(revision: 7, members: ["light": true])
        bench.channel.keep(settings, for: bench.device, in: bench.home)
        let other = try await dead.allotRevision(
            ofSettingsFor: bench.device, in: bench.home, atLeast: 8)
        #expect(other == 8)
        try await bench.invoker.whileRunning {
            let record = try await submit(schedule, to: .offline)
            let delivered = try await bench.invoker.outcome(of: record.id, goal: .delivered)
            #expect(delivered.record.progress.desiredRevision == 9)
            #expect(await nextKept()?.revision == 9)
            // What was read back and is there takes no revision.
            let next = try await dead.allotRevision(
                ofSettingsFor: bench.device, in: bench.home, atLeast: 1)
            #expect(next == 10)
        }
    }

    @Test func theRevisionIsInTheLedgerBeforeItIsOnTheLink() async throws {
        bench.ledger.failNextAdvance(LedgerError(.full, "the disk is full"))
        try await bench.invoker.whileRunning {
            let record = try await submit(schedule, to: .offline)
            _ = await bench.clock.sleeper(within: .seconds(2))
            bench.clock.advance(by: .seconds(2))
            let kept = try #require(await nextKept())
            let written = try #require(try await bench.ledger.record(of: record.id))
            #expect(written.progress.desiredRevision == kept.revision)
            let receipts = try await bench.ledger.events(of: record.id).compactMap {
                $0.detail["receipt"]?.string
            }
            #expect(receipts.first == "never-left", "nothing left while the ledger failed")
        }
    }

    @Test func eachIsWrittenOnTopOfTheOneBefore() async throws {
        try await bench.invoker.whileRunning {
            let light = try order("set-light", ["on": true], to: .offline)
            let plan = try order("set-schedule", ["entries": schedule], to: .offline)
            let records = try await bench.invoker.submit([light, plan])
            for record in records {
                _ = try await bench.invoker.outcome(of: record.id, goal: .delivered)
            }
            #expect(await nextKept()?.members == ["light": true])
            let second = try #require(await nextKept())
            #expect(second.revision == 2)
            #expect(second.members == ["light": true, "schedule": schedule])
        }
    }

    @Test func aCommandThatWaitsBeforeItDoesNotHoldItUp() async throws {
        try await bench.invoker.whileRunning {
            let start = try order("start-program", to: .offline)
            let waiting = try await bench.invoker.submit(start)
            let record = try await submit(schedule, to: .offline)
            let end = try await bench.invoker.outcome(of: record.id, goal: .delivered)
            #expect(end.record.state == .sent)
            #expect(try await bench.invoker.record(of: waiting.id)?.state == .queued)
        }
    }

    @Test func ofADeviceThatIsThereTheCommandItselfIsSent() async throws {
        try await bench.invoker.whileRunning {
            let record = try await submit(schedule, to: .online)
            #expect(record.intent.expiresAt == bench.clock.now.wall.advanced(by: .seconds(30)))
            #expect(await bench.nextSend()?.id == record.id)
        }
        await bench.channel.close()
        #expect(await nextKept() == nil)
    }

    @Test func aSettingWhoseStartHasALimitWaitsForTheDeviceAndExpires() async throws {
        try await bench.invoker.whileRunning {
            let options = CommandOptions(lifetime: .seconds(5))
            let limited = try await bench.invoker.submit(
                order("set-schedule", ["entries": schedule], to: .offline, options))
            #expect(limited.state == .queued && limited.intent.offline == .latest)
            let later = try await submit(schedule, to: .offline)
            #expect(try await bench.invoker.record(of: limited.id)?.state == .superseded)
            let delivered = try await bench.invoker.outcome(of: later.id, goal: .delivered)
            #expect(delivered.record.state == .sent)
            let last = try await bench.invoker.submit(
                order("set-light", ["on": true], to: .offline, options))
            bench.clock.advance(by: .seconds(5))
            #expect(try await bench.invoker.outcome(of: last.id).record.state == .expired)
        }
        await bench.channel.close()
        #expect(await nextKept()?.members == ["schedule": schedule], "the later one alone")
        #expect(await nextKept() == nil)
    }

    @Test func whatWasSentBeforeIsNotSentAgainOverWhatIsKept() async throws {
        try await bench.invoker.whileRunning {
            let older = try await submit(schedule, to: .online)
            #expect(await bench.nextSend()?.id == older.id)
            let action = try await bench.invoker.submit(order("start-program", to: .online))
            #expect(await bench.nextSend()?.id == action.id)
            bench.presence(.offline)
            // Behind it, so that the absence was heard when this was.
            bench.ack(.accepted, of: action.id)
            _ = try await bench.invoker.outcome(of: action.id, goal: .accepted)
            let newer = try await submit([], to: .offline)
            _ = try await bench.invoker.outcome(of: newer.id, goal: .delivered)
            bench.presence(.online)
            report(1, ["schedule": []])
            #expect(try await bench.invoker.outcome(of: newer.id).record.state == .succeeded)
            await bench.advanceToDeadline(within: .seconds(2))
            #expect(await bench.nextQuestion() == [older.id])
        }
        await bench.channel.close()
        #expect(await bench.nextSend() == nil, "the older one would undo the newer one")
    }

    @Test func settingsThatCannotBeReadRefuseItAndStayAsTheyAre() async throws {
        let foreign = CommunicationError(
            .protocolViolation, "they are another device's; remove them", certainty: .neverLeft)
        bench.channel.refuseReading(foreign)
        try await bench.invoker.whileRunning {
            let record = try await submit(schedule, to: .offline)
            let end = try await bench.invoker.outcome(of: record.id)
            #expect(end.record.state == .refused)
            #expect(end.record.progress.message == foreign.message)
        }
        await bench.channel.close()
        #expect(await nextKept() == nil)
    }

    @Test func nothingIsKeptForADeviceThatNoLongerTakesIt() async throws {
        bench.channel.refuseReading(
            CommunicationError(.timedOut, "no answer", certainty: .neverLeft, isRetriable: true))
        try await bench.invoker.whileRunning {
            let record = try await submit(schedule, to: .offline)
            _ = await bench.recorded(message: "no answer")
            bench.channel.refuseReading(nil)
            let presence = Presence(.offline, boot: bench.boot)
            bench.channel.announce(try profile(commands: [light]), presence: presence)
            let end = try await bench.invoker.outcome(of: record.id)
            #expect(end.record.state == .refused)
            #expect(end.record.progress.code == .unknownCommand)
        }
        await bench.channel.close()
        #expect(await nextKept() == nil)
    }

    // MARK: After the death of a process

    @Test(arguments: [true, false])
    func theNextProcessFindsOutWhetherItWasWritten(_ wasWritten: Bool) async throws {
        let id = try await leave(.sending, revision: 1)
        dead.die()
        let settings = DesiredSettings(revision: 1, members: ["schedule": schedule])
        if wasWritten { bench.channel.keep(settings, for: bench.device, in: bench.home) }
        try await bench.invoker.whileRunning {
            #expect(try await resume(.offline) == [id])
            let end = try await bench.invoker.outcome(of: id, goal: .delivered)
            #expect(end.record.state == .sent)
            #expect(end.record.progress.desiredRevision == 1)
        }
        await bench.channel.close()
        #expect(await nextKept() == (wasWritten ? nil : settings))
    }

    @Test(arguments: [CommandState.sent, .unknown])
    func theNextProcessLearnsWhatTheDeviceHasApplied(_ state: CommandState) async throws {
        let id = try await leave(state, revision: 1)
        dead.die()
        let applied = DesiredSettings(revision: 1, members: ["schedule": schedule])
        bench.say(.state(StateReport([:], revision: 9, boot: bench.boot, applied: applied)))
        try await bench.invoker.whileRunning {
            let resumed = try await resume(.online)
            #expect(resumed == [id])
            let end = try await bench.invoker.outcome(of: id, goal: .certain)
            #expect(end.record.state == .succeeded)
        }
    }

    @Test func whatWasReportedBeforeItWasTakenOverProvesIt() async throws {
        let id = try await leave(.sent, revision: 1)
        dead.die()
        let ours = DesiredSettings(revision: 1, members: ["schedule": schedule])
        let later = DesiredSettings(revision: 1, members: ["schedule": []])
        bench.channel.keep(ours, for: bench.device, in: bench.home)
        try await bench.invoker.whileRunning {
            let sent = try await submit([], to: .online)
            report(1, ["schedule": schedule])
            report(1, ["schedule": []])
            bench.say(.state(StateReport([:], revision: 2, boot: bench.boot, applied: later)))
            bench.ack(.succeeded, of: sent.id)
            _ = try await bench.invoker.outcome(of: sent.id)
            #expect(try await resume(.online) == [id])
            #expect(try await bench.invoker.outcome(of: id).record.state == .succeeded)
        }
        await bench.channel.close()
        #expect(await nextKept() == nil, "nothing is to be brought in line")
    }

    /// The link keeps the schedule, as the first writer leaves it.
    private func keepSchedule() {
        bench.channel.keep(
            DesiredSettings(revision: 1, members: ["schedule": schedule]), for: bench.device,
            in: bench.home)
    }

    @Test func whatTheDeviceIsKnownToHaveAppliedProvesIt() async throws {
        let id = try await leave(.sent, revision: 1)
        dead.die()
        keepSchedule()
        try await bench.invoker.whileRunning {
            var device = try pool(.online)
            device.report.apply(
                state: ["desiredRevision": 1, "settings": ["schedule": schedule]], revision: 4)
            let located = [device.id: LocatedDevice(device: device)]
            try await bench.invoker.resume(in: bench.home) { _ in located }
            let end = try await bench.invoker.outcome(of: id, goal: .certain)
            #expect(end.record.state == .succeeded)
        }
    }

    @Test func nothingIsDueWhileTheDeviceIsAway() async throws {
        let id = try await leave(.sent, revision: 1)
        dead.die()
        keepSchedule()
        try await bench.invoker.whileRunning {
            try await resume(.offline)
            let end = try await bench.invoker.outcome(of: id, goal: .noAnswerDue)
            #expect(end.isReached)
            #expect(end.record.state == .sent)
        }
    }

    // MARK: The device

    private let light = CommandSpecification(
        name: CommandName(rawValue: "set-light"),
        arguments: .members(["on": ArgumentSchema(type: .boolean)]), sort: .setting,
        offline: .desired)

    private func profile(commands: [CommandSpecification]) throws -> DeviceProfile {
        DeviceProfile(
            id: bench.device, home: bench.home, kind: .poolRobot,
            model: DeviceModel(rawValue: "pool-p1"), name: "Pool", firmware: "1",
            capabilities: [.connectable, .controllable], commands: commands)
    }

    private func pool(_ status: PresenceReport.Status) throws -> GenericDevice {
        var device = GenericDevice(profile: try profile(commands: PoolRobot.commands + [light]))
        device.report.connection.apply(Presence(status, boot: bench.boot))
        return device
    }

    private func order(
        _ name: String, _ arguments: JSONObject = ["program": "floor"],
        to status: PresenceReport.Status, _ options: CommandOptions = CommandOptions()
    ) throws -> CommandOrder {
        try CommandOrder(
            CommandName(rawValue: name), arguments, for: pool(status), options: options)
    }

    private func submit(
        _ entries: JSONValue, to status: PresenceReport.Status
    ) async throws -> CommandRecord {
        try await bench.invoker.submit(order("set-schedule", ["entries": entries], to: status))
    }

    private func report(_ revision: Int, _ members: JSONObject) {
        let applied = DesiredSettings(revision: revision, members: members)
        bench.say(.state(StateReport([:], revision: revision, boot: bench.boot, applied: applied)))
    }

    private func nextKept() async -> DesiredSettings? {
        for await settings in bench.channel.keptSettings { return settings }
        return nil
    }

    @discardableResult
    private func resume(_ status: PresenceReport.Status) async throws -> [CommandID] {
        let device = try pool(status)
        return try await bench.invoker.resume(in: bench.home) { _ in
            [device.id: LocatedDevice(device: device)]
        }
    }

    /// Leaves a command behind that was to be kept.
    private func leave(_ state: CommandState, revision: Int) async throws -> CommandID {
        let intent = try LifecycleBench(
            sort: .setting, offline: .desired, name: "set-schedule",
            arguments: ["entries": schedule]
        ).lifecycle.intent
        var progress = CommandProgress(
            step: 1, state: state, sends: 1, desiredRevision: revision,
            timings: CommandTimings(createdAt: intent.issuedAt))
        if state != .sending {
            progress.mayHaveLeft = true
            progress.timings.sentAt = intent.issuedAt
        }
        return try await dead.accept(intent, opening: progress, channel: bench.channel.id).id
    }
}
