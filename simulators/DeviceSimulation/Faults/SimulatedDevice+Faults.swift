import DeviceDomain
import DeviceMessages

// Faults: how they begin, and how they end.
extension SimulatedDevice {
    /// Takes a fault.
    mutating func inject(_ fault: Fault, until end: Timestamp?) {
        let specification = fault.name.specification
        guard specification.kinds.contains(output.reporter.profile.kind) else {
            return output.count(.foreignFault)
        }
        guard specification.lasts else {
            return fault.name == .reset ? output.resetConnection() : output.restart()
        }
        faults.insert(fault, until: end)
        if fault.name == .offline { output.leave(for: .fault) }
        if SimulatedFault.ofLink.contains(fault.name) { output.changeLink() }
        var occurrences: [BehaviourOccurrence] = []
        behaviour.begin(fault: fault, noting: &occurrences)
        settle(occurrences, by: nil)
    }

    /// Ends a fault, or all.
    mutating func clear(_ name: SimulatedFault?) {
        for ended in faults.remove(where: { name == nil || $0.fault.name == name }) { end(ended) }
        // What came about in the device's world was not injected, and ends all the same.
        for own in behaviour.ownFaults where name == nil || own == name { end(own) }
    }

    /// Ends the faults whose time is over.
    mutating func endDueFaults() {
        guard !faults.all.isEmpty else { return }
        let present = now.world
        let over = faults.remove { fault in fault.end.map { $0 <= present } ?? false }
        for name in over { end(name) }
    }

    private mutating func end(_ name: SimulatedFault) {
        switch name {
        case .offline: output.comeBack(from: .fault)
        case .mute: output.sendWithheldAcks()
        case .slow: output.sendDelayedAcks(dueBy: nil)
        case .reset, .blackhole, .halfOpen, .slowLink, .latency, .loss, .takeover:
            output.changeLink()
        case .hardwareFault, .reboot, .stuck, .lowBattery, .brushBlocked, .binFull,
            .sideBrushBlocked, .bumperStuck, .lidarBlocked, .cliff, .trapped, .binMissing,
            .filterBlocked, .dockNotFound, .dockNoPower, .batteryTemperature, .outOfWater,
            .overTemperature,
            .gridOutage, .meterLost:
            var occurrences: [BehaviourOccurrence] = []
            behaviour.end(fault: name, noting: &occurrences)
            settle(occurrences, by: nil)
        }
    }
}
