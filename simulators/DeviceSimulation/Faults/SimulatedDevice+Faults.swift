import DeviceDomain
import DeviceMessages

// Faults: how they begin, what they do to connection and acks, how they end.
extension SimulatedDevice {
    /// Takes a fault.
    mutating func inject(_ fault: Fault, until end: Timestamp?) {
        let specification = fault.name.specification
        guard specification.kinds.contains(profile.kind) else {
            return actions.append(.count(.foreignFault))
        }
        guard specification.lasts else { return actions.append(.restart) }
        faults.insert(fault, until: end)
        if fault.name == .offline { leave(for: .fault) }
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
        let present = now.world
        let over = faults.remove { fault in fault.end.map { $0 <= present } ?? false }
        for name in over { end(name) }
    }

    private mutating func end(_ name: SimulatedFault) {
        switch name {
        case .offline: comeBack(from: .fault)
        case .mute: sendWithheldAcks()
        case .slow: sendDelayedAcks(dueBy: nil)
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

    /// Whether a fault keeps a publication back: for good, or until it is due.
    mutating func keepsBack(_ publication: DevicePublication, _ confirming: Confirmation?) -> Bool {
        guard case .ack = publication else { return false }
        if faults[.mute] != nil { return true }
        guard let slow = faults[.slow] else { return false }
        link.delay(publication, confirming: confirming, until: now.monotonic + slow.delay)
        return true
    }

    /// Sends the acks whose delay is over; `nil` for all of them.
    mutating func sendDelayedAcks(dueBy time: Duration?) {
        for ack in link.takeDelayedAcks(dueBy: time) where faults[.mute] == nil {
            actions.append(.publish(ack.publication, confirming: ack.confirming))
        }
    }

    /// Sends what nobody has heard: final acks as after a reconnect, and the latest ack of commands
    /// that go on. These make up for acks that would have left late.
    private mutating func sendWithheldAcks() {
        _ = link.takeDelayedAcks(dueBy: nil)
        let unfinished = journal.entries.values.filter { !$0.isFinished }
            .sorted { $0.command < $1.command }
        for entry in unfinished { publish(.ack(entry.ack.replayed, entry.command.controller)) }
        publishUnconfirmedFinals()
    }
}
