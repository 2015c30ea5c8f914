import DeviceDomain
import DeviceMessages

// The world of a device, and how its changes become state, events and telemetry.
extension SimulatedDevice {
    /// The longest time that the world makes up for, in seconds. Of a longer pause, as of a suspended
    /// process, the beginning is left out.
    package static let longestPause = Duration.seconds(3600)
    /// How many samples are published late, after a pause of the process (PROTOCOL section 2).
    private static let mostLateSamples = 60

    /// Leaves out what is too long ago; the sampling instants in it are counted.
    mutating func skipLongPause(until world: Timestamp) {
        let start = world.advanced(by: .zero - Self.longestPause)
        if timetable.reached < start { output.countSamples(timetable.skip(to: start)) }
    }

    /// Advances the simulated world to its next instant, which has passed at the `present` moment.
    ///
    /// A world is stepped at instants only, whatever else happens: so what a device does depends on seed and
    /// commands alone, and not on when messages and acknowledgements come.
    mutating func advance(to instant: Timestamp, at present: DeviceMoment) {
        arrival = present
        output.now = present.showing(instant)
        let isSample = timetable.nextSample <= instant
        let span = timetable.advance(to: instant)
        if !isSwitchedOff { step(span) }
        endDueFaults()
        followPower(at: instant)
        if !isSwitchedOff { publishMeasuredState() }
        if isSample { sample(at: instant) }
    }

    private mutating func step(_ span: WorldSpan) {
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
        ending endings: [CommandEnding] = []
    ) {
        let ended = lane.takeEnd(in: occurrences)
        let state = changedState(by: (key ?? ended?.command)?.id)
        let allEndings = ended.map { endings + [$0] } ?? endings
        if !allEndings.isEmpty {
            output.finish(allEndings, with: state)
        } else if let state {
            output.record(.state(state))
            output.publishState()
        }
        for case .event(let name, let detail) in occurrences { output.announce(name, detail) }
        startNextAction()
    }

    /// Gives the state a new revision if a controlled member changed.
    /// - Returns: the new revision; it has to be recorded.
    private mutating func changedState(by id: CommandID?) -> RecordedState? {
        guard behaviour.takeControlledChange() else { return nil }
        let controlled = behaviour.controlled
        guard controlled != journal.state?.controlled else { return nil }
        let state = RecordedState(
            revision: (journal.state?.revision ?? 0) + 1, controlled: controlled, by: id,
            at: now.world)
        output.setState(state, measured: behaviour.measured)
        return state
    }

    /// Publishes measured members that changed, under the same revision, if it is time.
    private mutating func publishMeasuredState() {
        guard output.takeMeasuredTurn(), let recorded = journal.state else { return }
        let measured = behaviour.measured
        guard output.reporter.isNew(measured: measured) else { return }
        output.save(memory: behaviour.memory)
        output.setState(recorded, measured: measured)
        output.publishState()
    }

    /// Samples the signals at a sampling instant.
    ///
    /// What survives a restart is recorded with every sample, so that after a `kill -9` no counter
    /// falls below what was published, and a robot stands where it was last seen.
    private mutating func sample(at instant: Timestamp) {
        output.countSamples(1)
        let isTooLate = timetable.isTooLate(
            instant, at: arrival.world, following: Self.mostLateSamples)
        guard !isTooLate, !isSwitchedOff, output.isHeard else { return }
        if output.link.isConnected { output.save(memory: behaviour.memory) }
        output.sample { behaviour.writeTelemetry(at: instant, to: &$0) }
    }

    // MARK: The power of the home

    /// The power of the home is gone, or is back.
    mutating func setMains(_ isOn: Bool) {
        behaviour.hasMains = isOn
        powerChange = PowerChange(isOn: isOn, at: timetable.reached, of: identity)
    }

    /// Follows the power of the home and the device's own switch.
    private mutating func followPower(at instant: Timestamp) {
        if behaviour.isPoweredOff != output.absences.contains(.off) {
            behaviour.isPoweredOff ? output.leave(for: .off) : output.comeBack(from: .off)
        }
        guard let change = powerChange, change.due <= instant else { return }
        powerChange = nil
        change.isOn ? output.comeBack(from: .darkHome) : output.leave(for: .darkHome)
    }
}
