import DeviceDomain
import DeviceMessages

// Faults: how they begin, and how they end.
extension SimulatedDevice {
    /// Takes a fault.
    mutating func inject(_ fault: Fault, until end: Timestamp?) {
        let entry = fault.name.entry
        guard entry.possible.kinds.contains(output.reporter.profile.kind) else {
            return output.count(.foreignFault)
        }
        if entry.possible.lasts { faults.insert(fault, until: end, at: now) }
        switch entry.handler {
        case .connection: output.leave(for: .fault)
        case .link: entry.possible.lasts ? output.changeLink() : output.resetConnection()
        case .acks: break
        case .messages: output.announceSelf()
        case .start: restartUnlessOff()
        case .supply: switchOff()
        case .behaviour:
            var occurrences: [BehaviourOccurrence] = []
            behaviour.begin(fault: fault, noting: &occurrences)
            if !isSwitchedOff { settle(occurrences, by: nil) }
        }
    }

    /// Starts anew; a device that is off does so when it is switched on.
    private mutating func restartUnlessOff() {
        if !isSwitchedOff { output.restart() }
    }

    /// Stops where it is. Nothing is told and nothing is recorded any more, but for how it stands: commands that it has
    /// not ended are interrupted by the start that follows.
    private mutating func switchOff() {
        guard !isSwitchedOff else { return }
        lane = ActionLane()
        var untold: [BehaviourOccurrence] = []
        behaviour.interrupt(noting: &untold)
        output.save(memory: behaviour.memory)
        output.leave(for: .dead)
    }

    /// Ends a fault, or all.
    mutating func clear(_ name: SimulatedFault?) {
        end(faults.remove { name == nil || $0.fault.name == name })
        // What came about in the device's world was not injected, and ends all the same.
        end(behaviour.ownFaults.filter { name == nil || $0 == name })
    }

    /// Ends the faults whose time is over.
    mutating func endDueFaults() {
        guard !faults.all.isEmpty else { return }
        let present = now.world
        end(faults.remove { fault in fault.end.map { $0 <= present } ?? false })
    }

    /// Does what follows from the end of faults that the device has no longer.
    private mutating func end(_ names: [SimulatedFault]) {
        let handlers = names.map { ($0, $0.entry.handler) }
        for (name, handler) in handlers {
            switch handler {
            case .connection: output.comeBack(from: .fault)
            case .link: output.changeLink()
            case .acks where name == .mute: output.sendWithheldAcks()
            case .acks: if !faults.delayAcks { output.sendDelayedAcks(dueBy: nil) }
            case .messages, .start: break
            case .supply: output.switchOn()
            case .behaviour:
                var occurrences: [BehaviourOccurrence] = []
                behaviour.end(fault: name, noting: &occurrences)
                if !isSwitchedOff { settle(occurrences, by: nil) }
            }
        }
        guard handlers.contains(where: { $0.1 == .messages }) else { return }
        output.sendOverdue()
        // Once, however many have ended.
        output.announceSelf()
    }
}

extension ActiveFaults {
    /// Whether acks leave late.
    var delayAcks: Bool { self[.slow] != nil || self[.lateAcks] != nil }
}
