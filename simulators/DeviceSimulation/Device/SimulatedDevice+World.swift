import DeviceDomain
import DeviceMessages

// The world of a device, and how its changes become state, events and telemetry.
extension SimulatedDevice {
    /// The longest time that the world makes up for, in seconds. Of a longer pause, as of a suspended
    /// process, the beginning is left out.
    package static let longestPause = Duration.seconds(3600)

    /// Leaves out what is too long ago; the sampling instants in it are counted.
    mutating func skipLongPause(until world: Timestamp) {
        let start = world.advanced(by: .zero - Self.longestPause)
        if timetable.reached < start { sampleCount += timetable.skip(to: start) }
    }

    /// Advances the simulated world to its next instant, which has passed at the `present` moment.
    ///
    /// A world is stepped at instants only, whatever else happens: so what a device does depends on seed and
    /// commands alone, and not on when messages and acknowledgements come.
    mutating func advance(to instant: Timestamp, at present: DeviceMoment) {
        arrival = present
        now = present.showing(instant)
        let isSample = timetable.nextSample <= instant
        var occurrences: [BehaviourOccurrence] = []
        behaviour.step(timetable.advance(to: instant), noting: &occurrences)
        settle(occurrences, by: nil)
        endDueFaults()
        followPower(at: instant)
        publishMeasuredState()
        if isSample { sample() }
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
        let digest = behaviour.controlledDigest
        guard digest != comparedDigest else { return nil }
        comparedDigest = digest
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
        timetable.stateWasPublished(at: now.world)
        make(.state(lastState))
    }

    /// Publishes measured members that changed, under the same revision, if it is time.
    private mutating func publishMeasuredState() {
        guard timetable.takeMeasuredState(at: now.world), let recorded = journal.state else {
            return
        }
        let message = message(of: recorded)
        guard message.state != lastState.state else { return }
        saveMemory()
        lastState = message
        publishState()
    }

    /// Samples the signals at a sampling instant.
    ///
    /// What survives a restart is recorded with every sample, so that after a `kill -9` no counter
    /// falls below what was published, and a robot stands where it was last seen.
    private mutating func sample() {
        sampleCount += 1
        guard !isTooLate, link.isConnected || tellsWhatItMakes else { return }
        if link.isConnected { saveMemory() }
        make(
            .telemetry(
                TelemetryMessage(
                    device: identity.device, boot: boot, at: now.world, n: sampleCount,
                    values: behaviour.telemetry(at: now.world))))
    }

    /// Whether so many samples follow at this moment that this one is left out.
    private var isTooLate: Bool {
        arrival.world.since(now.world) >= timetable.samplingInterval * Self.mostLateSamples
    }

    /// How many samples are published late, after a pause of the process (PROTOCOL section 2).
    private static let mostLateSamples = 60

    private mutating func announce(_ name: EventName, _ detail: JSONObject) {
        let event = EventMessage(
            device: identity.device, boot: boot, id: EventID(at: now.world, using: &generator),
            at: now.world, event: name, detail: detail)
        make(.event(event))
        if !link.isConnected, link.hold(event) {
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
