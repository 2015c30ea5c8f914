import DeviceDomain
import DeviceSimulation

// What metrics show.
extension FleetShard {
    /// The shard at this moment.
    var snapshot: FleetSnapshot {
        var snapshot = FleetSnapshot()
        snapshot.totalDevices = slots.count
        snapshot.readyDevices = standings.ready
        snapshot.connectedDevices = standings.online
        snapshot.abandonedDevices = standings.abandoned
        for (index, slot) in slots.enumerated() {
            let activity = FleetSnapshot.Activity(
                kind: slot.kind, name: homes[index].activityName)
            snapshot.activities[activity, default: 0] += 1
            for fault in homes[index].faults.all {
                snapshot.faults[fault.fault.name.rawValue, default: 0] += 1
            }
        }
        snapshot.tally = record.tally
        let found = homes.invariants
        for invariant in Invariant.all {
            snapshot.tally.violations[invariant.name] = found.violations(of: invariant)
        }
        snapshot.journalBytes = journal.size
        snapshot.lateness = record.lateness
        snapshot.commandLatency = record.commands.latency
        snapshot.worldSeconds = record.worldPassed(at: settings.clock.now).seconds
        snapshot.speedRatio = record.speed.reached / record.speed.speed
        return snapshot
    }
}
