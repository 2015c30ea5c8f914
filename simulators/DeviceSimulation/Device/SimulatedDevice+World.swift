import DeviceDomain
import DeviceMessages

// The world of a device, and how its changes become state, events and telemetry.
extension SimulatedDevice {
    /// Advances the simulated world to the present moment.
    mutating func advanceWorld() {
        let span = world.advance(to: now)
        timetable.lastStep = now.monotonic
        var occurrences: [BehaviourOccurrence] = []
        behaviour.step(span, noting: &occurrences)
        settle(occurrences, by: nil)
    }

    /// Processes what happened: finishes the action that ended, records and publishes the new state,
    /// publishes events, starts the next action.
    /// - Parameters:
    ///   - key: the command that caused it; without one, an action that ended is the cause.
    ///   - endings: commands that end with it, before the action that ended by itself.
    mutating func settle(
        _ occurrences: [BehaviourOccurrence], by key: CommandKey?,
        ending endings: [(CommandKey, Verdict)] = []
    ) {
        let ended = endOfRunningAction(in: occurrences)
        let state = changedState(by: key?.id ?? ended?.0.id)
        let allEndings = endings + (ended.map { [$0] } ?? [])
        if !allEndings.isEmpty {
            finish(allEndings, with: state)
        } else if let state {
            record(.state(state))
            publishState()
        }
        for case .event(let name, let detail) in occurrences { announce(name, detail) }
        startNextAction()
    }

    private mutating func endOfRunningAction(
        in occurrences: [BehaviourOccurrence]
    ) -> (CommandKey, Verdict)? {
        for case .actionEnded(let outcome) in occurrences {
            guard let running = lane.running else { return nil }
            lane.running = nil
            return (running.command, Verdict(outcome))
        }
        return nil
    }

    /// Gives the state a new revision if a controlled member changed.
    /// - Returns: the new revision; it has to be recorded.
    mutating func changedState(by id: CommandID?) -> RecordedState? {
        let controlled = behaviour.controlled
        guard controlled != journal.state?.controlled else { return nil }
        let state = RecordedState(
            revision: (journal.state?.revision ?? 0) + 1, controlled: controlled, by: id,
            at: now.world)
        lastState = message(of: state)
        return state
    }

    /// The state message of a revision, with the measured members of this moment.
    func message(of state: RecordedState) -> StateMessage {
        StateMessage(
            device: identity.device, boot: boot, revision: state.revision, at: now.world,
            by: state.by, state: state.controlled.merging(behaviour.measured) { first, _ in first })
    }

    /// Publishes the state as it was last written.
    mutating func publishState() {
        timetable.lastState = now.monotonic
        publish(.state(lastState))
    }

    /// Publishes measured members that changed, under the same revision, if it is time.
    mutating func publishMeasuredState() {
        guard link.isConnected, timetable.allowsMeasuredState(at: now.monotonic),
            let recorded = journal.state
        else { return }
        let message = message(of: recorded)
        guard message.state != lastState.state else { return }
        saveMemory()
        lastState = message
        publishState()
    }

    /// Samples the signals, if a sample is due. Steps the world to the exact instant of the sample
    /// first, which lies a little before now.
    ///
    /// What survives a restart is recorded with every sample, so that after a `kill -9` no counter
    /// falls below what was published, and a robot stands where it was last seen.
    mutating func sampleTelemetry() {
        guard let instant = timetable.takeTelemetry(at: now.world) else { return }
        let present = now
        now = present.back(to: instant)
        defer { now = present }
        advanceWorld()
        sampleCount += 1
        let values = behaviour.telemetry(at: instant)
        guard link.isConnected else { return }
        saveMemory()
        publish(
            .telemetry(
                TelemetryMessage(
                    device: identity.device, boot: boot, at: instant, n: sampleCount,
                    values: values)))
    }

    private mutating func announce(_ name: EventName, _ detail: JSONObject) {
        let event = EventMessage(
            device: identity.device, boot: boot, id: EventID(at: now.world, using: &generator),
            at: now.world, event: name, detail: detail)
        if link.isConnected {
            publish(.event(event))
        } else if link.hold(event) {
            actions.append(.count(.droppedEvent))
        }
    }

    /// Records what survives a restart besides the state, if it is due.
    mutating func recordMemory() {
        guard timetable.takeMemory(at: now.monotonic) else { return }
        saveMemory()
    }

    /// Records what survives a restart besides the state, if it changed.
    mutating func saveMemory() {
        let memory = behaviour.memory
        if memory != journal.memory { record(.memory(memory)) }
    }
}
