import DeviceDomain
import DeviceMessages
import DeviceSimulation

/// What the devices of a run have made, and how late.
struct RunRecord {
    /// The moment at which the devices started.
    private let start: DeviceMoment
    /// One for each device; none where the run is not reported.
    private var transcripts: [DeviceTranscript]
    private var lateness = Lateness()

    init(of devices: [DeviceWire], isReported: Bool, from start: DeviceMoment) {
        self.start = start
        transcripts = isReported ? devices.map(DeviceTranscript.init) : []
    }

    /// Notes what a device has made.
    mutating func note(
        _ publication: DevicePublication, of index: Int, at now: DeviceMoment
    ) {
        transcripts[index].add(publication)
        // A world that is set forward by hand is not late.
        guard case .telemetry(let sample) = publication, now.pace > 0 else { return }
        lateness.add(milliseconds: (now.world.since(sample.at) / now.pace).wholeMilliseconds)
    }

    /// The report of the run up to now.
    func report(
        of plan: [PlannedDevice], finding invariants: InvariantRecord, seed: UInt64,
        at now: DeviceMoment
    ) -> FleetReport {
        FleetReport(
            seed: seed, epoch: start.world, world: now.world.since(start.world),
            wall: now.monotonic - start.monotonic, lateness: lateness, invariants: invariants,
            devices: zip(plan, transcripts).map { FleetReport.Device($0.identity, $1) })
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
