import DeviceDomain
import DeviceSimulation

extension Journal {
    /// Starts the planned devices with what they remember, each with a boot id of its own.
    ///
    /// The boots are durable before a device can say anything under them.
    mutating func boot(
        _ plan: [PlannedDevice], _ settings: FleetShard.Settings
    ) throws(FleetError) -> [SimulatedDevice] {
        let moment = settings.clock.now
        try append(plan.flatMap { lines(starting: $0.key, at: moment.wire) })
        var devices: [SimulatedDevice] = []
        devices.reserveCapacity(plan.count)
        for planned in plan {
            devices.append(try start(planned, settings, at: moment))
        }
        return devices
    }

    /// A device without a record may have had one elsewhere: it must not claim that it never got
    /// commands which were made before now.
    private func lines(starting key: DeviceKey, at moment: Timestamp) -> [JournalLine] {
        let boot = JournalLine(key: key, content: .boot(boots(of: key) + 1))
        guard boots(of: key) == 0 else { return [boot] }
        return [boot, JournalLine(key: key, content: .record(.lost(before: moment)))]
    }

    private func start(
        _ planned: PlannedDevice, _ settings: FleetShard.Settings, at moment: DeviceMoment
    ) throws(FleetError) -> SimulatedDevice {
        guard let boot = BootID(rawValue: "b\(boots(of: planned.key))") else {
            preconditionFailure("b and a number make a boot id")
        }
        do {
            return try SimulatedDevice(
                identity: planned.identity, seed: planned.seed, boot: boot,
                telemetryInterval: settings.telemetryInterval,
                sessionExpiry: settings.protocolVersion.sessionExpiry,
                restoring: state(of: planned.key), at: moment)
        } catch {
            throw FleetError(.internal, "\(planned.key): \(error)")
        }
    }
}
