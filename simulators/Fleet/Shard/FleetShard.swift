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
            speed: clock.speed, from: start)
        wakes = WakeTimer(devices: plan.count)
        script = ShardScript(settings.script, for: plan, from: clock.epoch)
        self.plan = plan
        self.journal = journal
        self.eventLoop = eventLoop
        self.settings = settings
    }

    // MARK: What happens to a device

    /// Gives a device an input and carries out the actions that it returns, after what the script does before that.
    func deliver(_ input: DeviceInput, to index: Int) {
        let now = settings.clock.now
        record.note(online: connections.standings.online, at: now)
        performScript(dueBy: now.world)
        guard life.isAlive else { return }
        deliver(input, to: index, at: now)
    }

    /// Gives a device an input at a moment, to which no home has come yet.
    func deliver(_ input: DeviceInput, to index: Int, at moment: DeviceMoment) {
        for output in homes.handle(input, of: index, at: moment) {
            carryOut(output.actions, of: output.device)
            guard life.isAlive else { return }
            wakes.set(homes.nextWake(of: output.device), for: output.device)
        }
        for violation in homes.takeViolations(of: index) { report(.violated(violation)) }
        arm()
    }

    /// Writes all records before the first publish, so that nothing is sent that could be forgotten.
    private func carryOut(_ actions: [DeviceAction], of index: Int) {
        KillPoint.deviceActed.pass(if: actions.contains(where: \.endsACommand))
        do throws(FleetError) {
            try writeDown(actions, of: key(of: index))
        } catch {
            return breakOff(error)
        }
        KillPoint.deviceRecorded.pass()
        KillPoint.deviceFinished.pass(if: actions.contains(where: \.endsACommand))
        for action in actions {
            switch action {
            case .record(.committed(let claim)):
                record.note(.committed(claim), of: index)
                report(.claimCommitted(device: "\(key(of: index))", claim: claim))
            case .record(let entry): record.note(entry, of: index)
            case .made(let publication):
                record.note(publication, of: index)
            case .publish(let publication, let confirmation):
                record.noteLateness(of: publication, at: settings.clock.now)
                publish(publication, confirming: confirmation, of: index)
            case .count(let counter): count(dropped: counter.rawValue)
            case .dropConnection: connections.hold(index)
            case .connect: reconnect(index)
            case .resetConnection: connections.slots[index].connection?.reset()
            case .changeLink: changeLink(of: index)
            case .restart: restart(index)
            }
        }
        KillPoint.devicePublished.pass()
    }

    private func writeDown(_ actions: [DeviceAction], of key: DeviceKey) throws(FleetError) {
        let lines = actions.compactMap { action -> JournalLine? in
            guard case .record(let record) = action else { return nil }
            return JournalLine(key: key, content: .record(record))
        }
        try journal.append(lines, at: settings.clock.now.world)
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
        for index in plan.indices { wakes.set(nil, for: index) }
    }

    private func wakeDevices() {
        wakes.fired()
        guard life.isAlive else { return }
        let now = settings.clock.now
        if let due = wakes.next { report(record.speed.note(due: due, at: now)) }
        while let index = wakes.popDue(by: now.monotonic) {
            record.speed.noteWhatIsLeftOut(
                after: homes.reached(by: index), at: now, homes: homes.count)
            deliver(.wake, to: index)
        }
        arm()
    }

    func arm() {
        guard life.isAlive else { return }
        wakes.arm(on: eventLoop, at: settings.clock.now.monotonic) { [weak self] in
            self?.assumeIsolated { $0.wakeDevices() }
        }
        script.arm(on: eventLoop, reading: settings.clock) { [weak self] in
            self?.assumeIsolated { $0.scriptIsDue() }
        }
    }
}

extension DeviceAction {
    /// Whether it records the end of a command.
    fileprivate var endsACommand: Bool {
        if case .record(.finished) = self { true } else { false }
    }
}
