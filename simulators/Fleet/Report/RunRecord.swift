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
    /// The ways of a few robots, and the days of a few stores; none where the run is not reported.
    private var traces: DeviceTraces
    private var series = RunSeries()
    /// How late samples were made.
    private(set) var lateness = MillisecondHistogram()
    /// The commands that devices took, whoever sent them.
    private(set) var commands = CommandTally()
    /// Those of them that the scenario of this process did not send: it counts its own.
    private var otherCommands = CommandTally()
    /// As whom the scenario of this process sends commands; `nil` without one.
    private let scenario: ControllerID?
    private(set) var faults = FaultLog()
    /// Counters for metrics.
    var tally = FleetTally()
    var speed: SpeedWatch

    init(
        of devices: [DeviceWire], planned: [PlannedDevice], isReported: Bool, speed: Double,
        from start: DeviceMoment, beside scenario: ControllerID? = nil
    ) {
        self.start = start
        self.scenario = scenario
        self.speed = SpeedWatch(speed: speed)
        transcripts = isReported ? devices.map(DeviceTranscript.init) : []
        traces = DeviceTraces(of: isReported ? planned.map(\.identity) : [])
    }

    /// Notes that the world begins.
    mutating func begin(at moment: DeviceMoment) { start = moment.showing(start.world) }

    /// Notes that the world has come to its end.
    /// - Parameter online: how many devices are connected.
    mutating func finish(at moment: DeviceMoment, online: Int) {
        end = moment
        series = series.closed(with: figures(online: online))
    }

    /// Notes what a device has made, in a run that is reported.
    mutating func note(_ publication: DevicePublication, of index: Int) {
        transcripts[index].add(publication)
        traces.note(publication, of: index)
    }

    /// Notes how many devices are connected, whenever something happens to one.
    mutating func note(online: Int, at now: DeviceMoment) {
        let passed = worldPassed(at: now)
        guard series.isOver(at: passed) else { return }
        series.note(at: passed, figures(online: online))
    }

    private func figures(online: Int) -> RunSeries.Figures {
        RunSeries.Figures(
            online: online, messages: tally.messages, commands: commands.latency.total,
            latencyMs: commands.latency.sum)
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
        if let scenario { otherCommands.note(record, of: index, except: scenario) }
    }

    /// Notes what happens to a device.
    mutating func note(_ order: FaultOrder, of device: DeviceKey, at world: Timestamp) {
        faults.note(order, of: device, at: world)
    }

    /// How far the world has gone.
    func worldPassed(at now: DeviceMoment) -> Duration { now.world.since(start.world) }

    /// Whether devices were behind the world clock. A world that was paused has its own time.
    private var saturation: Saturation? {
        speed.lowest.map { lowest in
            Saturation(
                reached: lowest, wanted: speed.speed,
                longest: speed.longest.map {
                    Saturation.Delay(
                        start: ($0.start - start.monotonic) * speed.speed, length: $0.length)
                })
        }
    }

    /// The report of the run up to now.
    func report(
        of plan: [PlannedDevice], finding invariants: InvariantRecord, online: Int, seed: UInt64,
        at now: DeviceMoment
    ) -> FleetReport {
        // Devices that were taken offline at the end are no part of how the fleet went.
        let series = end == nil ? series.closed(with: figures(online: online)) : series
        let now = end ?? now
        var report = FleetReport(
            seed: seed, epoch: start.world, world: worldPassed(at: now),
            wall: now.monotonic - start.monotonic)
        report.lateness = lateness
        report.commands = scenario == nil ? commands : otherCommands
        report.faults = faults.entries
        report.invariants = invariants
        report.saturation = saturation
        report.series = series
        report.traces = traces.all
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
