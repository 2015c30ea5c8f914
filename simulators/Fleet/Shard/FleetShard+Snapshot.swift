import DeviceDomain
import DeviceSimulation

// What metrics show.
extension FleetShard {
    /// The shard at this moment.
    var snapshot: FleetSnapshot {
        var snapshot = FleetSnapshot(connections.standings)
        for (index, slot) in connections.slots.enumerated() {
            snapshot.count(homes[index], slot.kind)
        }
        snapshot.note(record, at: settings.clock.now)
        snapshot.note(homes.invariants)
        snapshot.journalBytes = journal.size
        return snapshot
    }
}

extension FleetSnapshot {
    fileprivate init(_ standings: Standings) {
        self.init()
        totalDevices = standings.count
        readyDevices = standings.ready
        connectedDevices = standings.online
        abandonedDevices = standings.abandoned
    }

    fileprivate mutating func count(_ device: SimulatedDevice, _ kind: String) {
        activities[Activity(kind: kind, name: device.activityName), default: 0] += 1
        for fault in device.faults.all { faults[fault.fault.name.rawValue, default: 0] += 1 }
    }

    fileprivate mutating func note(_ record: RunRecord, at now: DeviceMoment) {
        tally = record.tally
        lateness = record.lateness
        commandLatency = record.commands.latency
        worldSeconds = record.worldPassed(at: now).seconds
        speedRatio = record.speed.reached / record.speed.speed
    }

    fileprivate mutating func note(_ found: InvariantRecord) {
        for invariant in Invariant.all {
            tally.violations[invariant.name] = found.violations(of: invariant)
        }
    }
}
