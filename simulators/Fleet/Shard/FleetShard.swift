import DeviceDomain
import DeviceSimulation
import KillPoints
import MQTTClient

/// Devices that share one event loop. Each has its own connection; every event of a device is
/// handled synchronously on the loop's thread.
actor FleetShard {
    /// What all devices of a shard have in common.
    struct Settings: Sendable {
        let broker: FleetBroker
        let protocolVersion: FleetProtocolVersion
        let telemetryInterval: Duration
        /// How long the first device may take to reach the broker.
        let startLimit: Duration
        let clock: FleetClock
        /// Whether the run is reported, with what every device made.
        let isReported: Bool
        let report: @Sendable (FleetNotice) -> Void
    }

    /// How far the run has come.
    enum Phase {
        /// Not started.
        case idle
        /// Devices run; none has reached the broker yet.
        case starting
        /// At least one device has reached the broker.
        case running
        /// Devices publish that they go offline.
        case ending(FleetError?)
        /// Over.
        case ended(Result<Void, FleetError>)
    }

    nonisolated let eventLoop: MQTTEventLoop
    nonisolated let settings: Settings
    /// The devices before they were switched on.
    nonisolated let plan: [PlannedDevice]
    var slots: [DeviceSlot]
    /// The homes in which the devices are.
    var homes: ShardHomes
    var standings: Standings
    var journal: Journal
    var phase = Phase.idle
    var tally = FleetTally()
    var troubles = TroubleReport()
    var outage = OutageReport()
    var lastError: MQTTError?
    /// The largest packet that the broker accepts, bytes, where its last CONNACK said so.
    var packetLimit: UInt32?
    var undelivered = 0
    /// What a report says of the run.
    private var record: RunRecord
    var waiter: CheckedContinuation<Result<Void, FleetError>, Never>?
    private var wakes: WakeQueue
    private var timer: MQTTTimer?
    private var armed: Duration?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// Starts the planned devices; they connect when the shard runs.
    init(
        plan: [PlannedDevice], journal: Journal, settings: Settings, eventLoop: MQTTEventLoop
    ) throws(FleetError) {
        var journal = journal
        // However long the start takes, the devices' world begins at the epoch.
        let start = settings.clock.now.showing(settings.clock.epoch)
        let devices = try journal.boot(plan, settings, at: start)
        homes = ShardHomes(devices, of: plan, startedAt: start.world)
        slots = devices.map(DeviceSlot.init)
        record = RunRecord(
            of: slots.map(\.wire), isReported: settings.isReported, from: start)
        standings = Standings(devices: plan.count)
        wakes = WakeQueue(devices: plan.count)
        self.plan = plan
        self.journal = journal
        self.eventLoop = eventLoop
        self.settings = settings
    }

    /// Whether devices run: not before the start, and not once the end has begun.
    var isAlive: Bool {
        switch phase {
        case .starting, .running: true
        case .idle, .ending, .ended: false
        }
    }

    // MARK: What happens to a device

    /// Gives a device an input and carries out the actions that it returns.
    func deliver(_ input: DeviceInput, to index: Int) {
        for output in homes.handle(input, of: index, at: settings.clock.now) {
            carryOut(output.actions, of: output.device)
            guard isAlive else { return }
            wakes.set(homes.nextWake(of: output.device), for: output.device)
        }
        for violation in homes.takeViolations(of: index) { report(.violated(violation)) }
        arm()
    }

    /// Writes all records before the first publish, so that nothing is sent that could be forgotten.
    private func carryOut(_ actions: [DeviceAction], of index: Int) {
        KillPoint.deviceActed.pass(if: actions.contains(where: \.endsACommand))
        do throws(FleetError) {
            try writeDown(actions, of: slots[index].key)
        } catch {
            return breakOff(error)
        }
        KillPoint.deviceRecorded.pass()
        KillPoint.deviceFinished.pass(if: actions.contains(where: \.endsACommand))
        for action in actions {
            switch action {
            case .record(.committed(let claim)):
                report(.claimCommitted(device: "\(slots[index].key)", claim: claim))
            case .record: break
            case .made(let publication):
                record.note(publication, of: index, at: settings.clock.now)
            case .publish(let publication, let confirmation):
                publish(publication, confirming: confirmation, of: index)
            case .count(let counter): count(dropped: counter.rawValue)
            case .dropConnection: dropConnection(of: index)
            case .connect: reconnect(index)
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
        try journal.append(lines)
        tally.journalRecords += lines.count
    }

    func count(dropped reason: String) { tally.dropped[reason, default: 0] += 1 }

    /// What the run came to so far.
    func report(seed: UInt64) -> FleetReport {
        record.report(
            of: plan, finding: homes.invariants, seed: seed, at: settings.clock.now)
    }

    func report(_ notice: FleetNotice?) {
        if let notice { settings.report(notice) }
    }

    // MARK: Wakes

    /// Schedules the first wake of every device.
    func beginWaking() {
        for index in slots.indices { wakes.set(homes.nextWake(of: index), for: index) }
        arm()
    }

    /// Cancels all wakes.
    func stopWaking() {
        timer?.cancel()
        timer = nil
        for index in slots.indices { wakes.set(nil, for: index) }
    }

    private func wakeDevices() {
        armed = nil
        guard isAlive else { return }
        let due = settings.clock.now.monotonic
        while let index = wakes.popDue(by: due) { deliver(.wake, to: index) }
        arm()
    }

    /// Sets the loop's one timer to the earliest wake, unless it fires early enough.
    private func arm() {
        guard let next = wakes.next else { return }
        if let armed, armed <= next { return }
        timer?.cancel()
        armed = next
        let delay = max(next - settings.clock.now.monotonic, .zero)
        timer = eventLoop.schedule(after: delay) { [weak self] in
            self?.assumeIsolated { $0.wakeDevices() }
        }
    }
}

extension DeviceAction {
    /// Whether it records the end of a command.
    fileprivate var endsACommand: Bool {
        if case .record(.finished) = self { true } else { false }
    }
}
