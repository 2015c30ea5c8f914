import DeviceDomain
import DeviceSimulation
import KillPoints
import MQTTClient

/// Devices that share one event loop. Each has its own connection; every event of a device is
/// handled synchronously on the loop's thread.
actor FleetShard {
    nonisolated let eventLoop: MQTTEventLoop
    nonisolated let settings: ShardSettings
    /// The devices before they were switched on.
    nonisolated let plan: [PlannedDevice]
    /// How the devices are connected.
    var connections: ShardConnections
    /// The homes in which the devices are.
    var homes: ShardHomes
    var journal: Journal
    nonisolated let rewriter = JournalRewriter()
    var life = ShardLife()
    /// What reports and metrics say of the run.
    var record: RunRecord
    private var wakes: WakeTimer
    /// What a scenario does to the devices.
    var script: ShardScript

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// Starts the planned devices; they connect when the shard runs.
    init(
        plan: [PlannedDevice], journal: Journal, settings: ShardSettings, eventLoop: MQTTEventLoop
    ) throws(FleetError) {
        var journal = journal
        // However long the start takes, the devices' world begins at the epoch.
        let clock = settings.clock
        let now = clock.now
        let start = DeviceMoment(
            wire: now.wire, world: clock.epoch, monotonic: now.monotonic, pace: clock.speed)
        let devices = try journal.boot(plan, settings, at: start)
        if let rewrite = journal.takeRewrite() { journal.finish(rewrite.perform()) }
        homes = ShardHomes(devices, of: plan, startedAt: start.world)
        let slots = devices.map(DeviceSlot.init)
        connections = ShardConnections(
            of: slots, on: settings.brokers, speaking: settings.protocolVersion,
            in: settings.alink.map { plan.map($0.wire) } ?? [])
        record = RunRecord(
            of: slots.map(\.wire), planned: plan, isReported: settings.isReported,
            speed: clock.speed, from: start, beside: settings.scenario)
        wakes = WakeTimer(homes: homes.count)
        script = ShardScript(settings.script, for: plan, from: clock.epoch)
        self.plan = plan
        self.journal = journal
        self.eventLoop = eventLoop
        self.settings = settings
    }

    // MARK: What happens to a device

    /// Gives a device an input and carries out the actions that it returns, after what the script does before that.
    func deliver(_ input: DeviceInput, to index: Int) {
        guard let now = momentAfterScript() else { return }
        deliver(input, to: index, at: now, seenAt: now)
        arm()
    }

    /// Gives a device an input at a moment, to which no home has come yet.
    /// - Parameter now: the moment of the call, before which `moment` may be.
    func deliver(
        _ input: DeviceInput, to index: Int, at moment: DeviceMoment, seenAt now: DeviceMoment
    ) {
        carryOut(
            homes.handle(input, of: index, at: moment), in: homes.home(of: index), at: now)
    }

    /// The moment of an input, after what the script does before that; `nil` where the run has ended.
    private func momentAfterScript() -> DeviceMoment? {
        let now = settings.clock.now
        record.note(online: connections.standings.online, at: now)
        performScript(dueBy: now)
        return life.isAlive ? now : nil
    }

    /// Writes all records of a home before the first publish, so that nothing is sent that could be forgotten.
    private func carryOut(
        _ outputs: [ShardHomes.Output], in home: Int, at now: DeviceMoment
    ) {
        KillPoint.deviceActed.pass(if: outputs.endACommand)
        do throws(FleetError) {
            try writeDown(outputs, at: now.world)
        } catch {
            return breakOff(error)
        }
        KillPoint.deviceRecorded.pass()
        KillPoint.deviceFinished.pass(if: outputs.endACommand)
        for output in outputs {
            carryOut(output.actions, of: output.device, at: now)
            guard life.isAlive else { return }
        }
        KillPoint.devicePublished.pass()
        for violation in homes.takeViolations(of: home) { report(.violated(violation)) }
        wakes.set(homes.nextWake(of: home), for: home)
    }

    private func carryOut(_ actions: [DeviceAction], of index: Int, at now: DeviceMoment) {
        for action in actions {
            switch action {
            case .record(.committed(let claim)):
                record.note(.committed(claim), of: index)
                report(.claimCommitted(device: "\(key(of: index))", claim: claim))
            case .record(let entry): record.note(entry, of: index)
            case .made(let publication):
                record.note(publication, of: index)
            case .publish(let publication, let confirmation):
                record.noteLateness(of: publication, at: now)
                publish(publication, confirming: confirmation, of: index)
            case .count(let counter): count(dropped: counter.rawValue)
            case .dropConnection: connections.hold(index)
            case .connect: reconnect(index)
            case .resetConnection: connections.slots[index].connection?.reset()
            case .changeLink: changeLink(of: index)
            case .restart: restart(index)
            }
        }
    }

    private func writeDown(
        _ outputs: [ShardHomes.Output], at world: Timestamp
    ) throws(FleetError) {
        var lines: [JournalLine] = []
        for output in outputs {
            for case .record(let record) in output.actions {
                lines.append(JournalLine(key: key(of: output.device), content: .record(record)))
            }
        }
        guard !lines.isEmpty else { return }
        try journal.append(lines, at: world)
        compactJournal()
    }

    /// Replaces a file of the journal that has grown too long; the copy is written on another thread.
    func compactJournal() {
        guard let rewrite = journal.takeRewrite() else { return }
        rewriter.perform(rewrite) { [weak self, eventLoop] outcome in
            eventLoop.execute { [weak self] in
                self?.assumeIsolated { $0.journal.finish(outcome) }
            }
        }
    }

    /// The name of a device across homes.
    func key(of index: Int) -> DeviceKey { connections.slots[index].key }

    func count(dropped reason: String) { record.tally.dropped[reason, default: 0] += 1 }

    /// What the run came to so far.
    func report(seed: UInt64) -> FleetReport {
        record.report(
            of: plan, finding: homes.invariants, online: connections.standings.online,
            seed: seed,
            at: settings.clock.now)
    }

    func report(_ notice: FleetNotice?) {
        if let notice { settings.report(notice) }
    }

    // MARK: Wakes

    /// Lets every device see what the clocks show, and schedules its next wake.
    func wakeAll() {
        wakes.cancel()
        script.cancel()
        record.speed.restart()
        for index in plan.indices where life.isAlive { deliver(.wake, to: index) }
    }

    /// Cancels all wakes.
    func stopWaking() {
        wakes.cancel()
        script.cancel()
        for home in 0..<homes.count { wakes.set(nil, for: home) }
    }

    private func wakeHomes() {
        wakes.fired()
        guard life.isAlive else { return }
        let now = settings.clock.now
        if let due = wakes.next { report(record.speed.note(due: due, at: now)) }
        while let home = wakes.popDue(by: now.monotonic) {
            record.speed.noteWhatIsLeftOut(
                after: homes.reached(by: home), at: now, homes: homes.count)
            guard let now = momentAfterScript() else { return }
            carryOut(homes.wake(home, at: now), in: home, at: now)
        }
        arm()
    }

    func arm() {
        guard life.isAlive else { return }
        wakes.arm(on: eventLoop, at: settings.clock.now.monotonic) { [weak self] in
            self?.assumeIsolated { $0.wakeHomes() }
        }
        script.arm(on: eventLoop, reading: settings.clock) { [weak self] in
            self?.assumeIsolated { $0.scriptIsDue() }
        }
    }
}

extension [ShardHomes.Output] {
    /// Whether one of them records the end of a command.
    fileprivate var endACommand: Bool {
        contains { output in
            output.actions.contains { if case .record(.finished) = $0 { true } else { false } }
        }
    }
}
