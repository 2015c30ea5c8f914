package import DeviceDomain
import DeviceSimulation

extension Journal {
    /// Starts the planned devices from their journaled state, each with a new boot id.
    ///
    /// A boot id is journaled before the device publishes anything with it.
    mutating func boot(
        _ plan: [PlannedDevice], _ settings: ShardSettings, at moment: DeviceMoment
    ) throws(FleetError) -> [SimulatedDevice] {
        try append(plan.flatMap { lines(starting: $0.key, at: moment) }, at: moment.world)
        var devices: [SimulatedDevice] = []
        devices.reserveCapacity(plan.count)
        for planned in plan {
            devices.append(try start(planned, settings, at: moment))
        }
        return devices
    }

    /// Starts one device of a running fleet anew.
    mutating func reboot(
        _ planned: PlannedDevice, _ settings: ShardSettings, having faults: ActiveFaults,
        at moment: DeviceMoment
    ) throws(FleetError) -> SimulatedDevice {
        try append(lines(starting: planned.key, at: moment), at: moment.world)
        return try start(planned, settings, having: faults, at: moment)
    }

    /// A device without a journal here may have had one elsewhere, so it must not answer `never` for
    /// commands that were created before now.
    private func lines(starting key: DeviceKey, at moment: DeviceMoment) -> [JournalLine] {
        if let last = boot(of: key) { return [JournalLine(key: key, content: .boot(last.next))] }
        return [
            JournalLine(key: key, content: .boot(BootCount(count: 1, since: moment.world))),
            JournalLine(key: key, content: .record(.lost(before: moment.wire))),
        ]
    }

    private func start(
        _ planned: PlannedDevice, _ settings: ShardSettings,
        having faults: ActiveFaults = .none, at moment: DeviceMoment
    ) throws(FleetError) -> SimulatedDevice {
        guard let boot = boot(of: planned.key) else {
            preconditionFailure("every planned device was started")
        }
        do {
            return try SimulatedDevice(
                identity: planned.identity, seed: planned.seed, homeSeed: planned.homeSeed,
                regionSeed: planned.regionSeed,
                boot: boot.id,
                telemetryInterval: planned.group.telemetryInterval ?? settings.telemetryInterval,
                sessionExpiry: settings.protocolVersion.sessionExpiry, claim: planned.claim,
                restoring: state(of: planned.key), having: faults,
                tellingWhatItMakes: settings.isReported,
                keepingSamples: planned.group.buffersOffline, wearing: planned.wears,
                parameters: planned.group.parameters, at: moment)
        } catch {
            throw FleetError(.internal, "\(planned.key): \(error)")
        }
    }
}

extension Journal {
    /// Whether a device's claim was committed.
    package func hasCommitted(_ claim: ClaimNonce, of key: DeviceKey) -> Bool {
        state(of: key).committedClaim == claim
    }
}
