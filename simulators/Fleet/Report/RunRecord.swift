import DeviceDomain
import DeviceMessages
import DeviceSimulation

/// What a shard counts and notes of its run, for reports and metrics.
struct RunRecord {
    /// The moment at which the world began.
    private var start: DeviceMoment
    /// The moment at which the end began.
    private var end: DeviceMoment?
    /// One for each device; none where the run is not reported.
    private var transcripts: [DeviceTranscript]
    /// How late samples were made.
    private(set) var lateness = MillisecondHistogram()
    private(set) var commands = CommandTally()
    private(set) var faults = FaultLog()
    /// Counters for metrics.
    var tally = FleetTally()
    var speed: SpeedWatch

    init(
        of devices: [DeviceWire], isReported: Bool, speed: Double, from start: DeviceMoment
    ) {
        self.start = start
        self.speed = SpeedWatch(speed: speed)
        transcripts = isReported ? devices.map(DeviceTranscript.init) : []
    }

    /// Notes that the world begins.
    mutating func begin(at moment: DeviceMoment) { start = moment.showing(start.world) }

    /// Notes that the world has come to its end.
    mutating func finish(at moment: DeviceMoment) { end = moment }

    /// Notes what a device has made, in a run that is reported.
    mutating func note(_ publication: DevicePublication, of index: Int) {
        transcripts[index].add(publication)
    }

    /// Notes how late a sample is.
    mutating func noteLateness(of publication: DevicePublication, at now: DeviceMoment) {
        // A world that is set forward by hand is not late, nor is a sample that waited for a connection.
        guard case .telemetry(let sample) = publication, !sample.hasWaited, now.pace > 0 else {
            return
        }
        lateness.add(milliseconds: (now.world.since(sample.at) / now.pace).wholeMilliseconds)
    }

    /// Notes what a device records.
    mutating func note(_ record: JournalRecord, of index: Int) {
        tally.journalRecords += 1
        commands.note(record, of: index)
    }

    /// Notes what happens to a device.
    mutating func note(_ order: FaultOrder, of device: DeviceKey, at world: Timestamp) {
        faults.note(order, of: device, at: world)
    }

    /// How far the world has gone.
    func worldPassed(at now: DeviceMoment) -> Duration { now.world.since(start.world) }

    /// The report of the run up to now.
    func report(
        of plan: [PlannedDevice], finding invariants: InvariantRecord, seed: UInt64,
        at now: DeviceMoment
    ) -> FleetReport {
        let now = end ?? now
        var report = FleetReport(
            seed: seed, epoch: start.world, world: worldPassed(at: now),
            wall: now.monotonic - start.monotonic)
        report.lateness = lateness
        report.commands = commands
        report.faults = faults.entries
        report.invariants = invariants
        report.saturation = speed.lowest.map { Saturation(reached: $0, wanted: speed.speed) }
        report.devices = zip(plan, transcripts).map { FleetReport.Device($0.identity, $1) }
        return report
    }
}

extension FleetReport.Device {
    init(_ identity: DeviceIdentity, _ transcript: DeviceTranscript) {
        self.init(
            home: identity.home, device: identity.device,
            kind: BehaviourCatalog.kind(of: identity.model).rawValue,
            model: identity.model.rawValue,
            hash: transcript.digits, samples: transcript.samples)
    }
}
