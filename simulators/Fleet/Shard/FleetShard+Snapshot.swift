import DeviceDomain
import DeviceSimulation

extension FleetSnapshot {
    /// What metrics show of a shard at this moment.
    init(of shard: isolated FleetShard) {
        self.init(shard.connections.standings)
        for (index, slot) in shard.connections.slots.enumerated() {
            count(shard.homes[index], slot.kind)
        }
        note(shard.record, at: shard.settings.clock.now)
        note(shard.homes.invariants)
        journalBytes = shard.journal.size
    }

    private init(_ standings: Standings) {
        self.init()
        totalDevices = standings.count
        readyDevices = standings.ready
        connectedDevices = standings.online
        abandonedDevices = standings.abandoned
    }

    private mutating func count(_ device: SimulatedDevice, _ kind: String) {
        activities[Activity(kind: kind, name: device.activityName), default: 0] += 1
        for fault in device.faults.all { faults[fault.fault.name.rawValue, default: 0] += 1 }
    }

    private mutating func note(_ record: RunRecord, at now: DeviceMoment) {
        tally = record.tally
        lateness = record.lateness
        commandLatency = record.commands.latency
        worldSeconds = record.worldPassed(at: now).seconds
        speedRatio = record.speed.reached / record.speed.speed
    }

    private mutating func note(_ found: InvariantRecord) {
        for invariant in Invariant.all {
            tally.violations[invariant.name] = found.violations(of: invariant)
        }
    }
}
