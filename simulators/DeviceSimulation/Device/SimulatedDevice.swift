package import DeviceDomain
package import DeviceMessages

/// A simulated device: the rules of PROTOCOL section 3 around the behaviour of one kind.
///
/// A synchronous value: every input gives the actions that its owner has to carry out, in order.
/// It has no clock and no randomness of its own; the same seed, identity, record and inputs give
/// the same actions, to the byte. A ``HomeWorld`` has all devices of a home, and is what gives them inputs.
package struct SimulatedDevice: Sendable {
    /// What it says and records.
    var output: DeviceOutput
    /// What its kind does.
    var behaviour: any DeviceBehaviour
    /// The action that runs and those that wait.
    var lane = ActionLane()
    /// What the power of its home is about to do to the connection.
    var powerChange: PowerChange?
    /// The faults that it has.
    package internal(set) var faults: ActiveFaults {
        didSet {
            output.follow(faults)
            guard oldValue.active(.rebootLoop) != faults.active(.rebootLoop) else { return }
            nextReboot = faults.nextReboot(after: now.world)
        }
    }
    /// When it starts anew by itself (world clock).
    private var nextReboot: Timestamp?
    /// When it does what it does by itself.
    var timetable: Timetable
    /// The moment of the present input, by all clocks.
    var arrival: DeviceMoment

    /// A device at its start.
    /// - Parameters:
    ///   - seed: what its own randomness derives from.
    ///   - homeSeed: what the randomness of its home derives from; `nil` for the same as its own.
    ///   - regionSeed: what the weather of its region derives from; `nil` for the same as of its home.
    ///   - telemetryInterval: how often it samples its signals.
    ///   - sessionExpiry: how long the broker keeps its session: 3600 s with MQTT 5; take 24 h
    ///     with 3.1.1 (PROTOCOL section 3).
    ///   - claim: the claim by which it came into its home, if it did.
    ///   - journal: what it kept from its former starts.
    ///   - faults: those that it has from its start.
    ///   - tellingWhatItMakes: whether it gives ``DeviceAction/made(_:)``.
    ///   - keepingSamples: whether samples of a time without a connection are sent once there is one, in order
    ///     and before new ones, at most the newest 720; a start anew forgets them.
    ///   - wearing: whether faults come from its world itself.
    ///   - parameters: numbers of its model that it draws from other ranges, by their names.
    /// - Throws: ``UnsimulatedModel`` if no behaviour is known for the model.
    package init(
        identity: DeviceIdentity, seed: UInt64, homeSeed: UInt64? = nil,
        regionSeed: UInt64? = nil, boot: BootID, telemetryInterval: Duration,
        sessionExpiry: Duration = .seconds(3600), claim: ClaimNonce? = nil,
        restoring journal: DeviceJournalState = .empty, having faults: ActiveFaults = .none,
        tellingWhatItMakes: Bool = false, keepingSamples: Bool = false, wearing: Bool = false,
        parameters: [String: ClosedRange<Double>] = [:], at moment: DeviceMoment
    ) throws(UnsimulatedModel) {
        let seeds = DeviceSeeds(
            device: seed, home: homeSeed ?? seed, region: regionSeed)
        var behaviour = try BehaviourCatalog.standard.makeBehaviour(
            identity: identity, seed: seeds, parameters: parameters, at: moment.world)
        if wearing { behaviour.beginToWear(identity, seeds) }
        self.init(
            identity: identity, behaviour: behaviour, seed: seed, boot: boot,
            telemetryInterval: telemetryInterval, sessionExpiry: sessionExpiry, claim: claim,
            restoring: journal, having: faults, tellingWhatItMakes: tellingWhatItMakes,
            keepingSamples: keepingSamples, at: moment)
    }

    /// A device with a behaviour of one's own.
    init(
        identity: DeviceIdentity, behaviour: any DeviceBehaviour, seed: UInt64, boot: BootID,
        telemetryInterval: Duration,
        sessionExpiry: Duration = .seconds(3600), claim: ClaimNonce? = nil,
        restoring journal: DeviceJournalState = .empty, having faults: ActiveFaults = .none,
        tellingWhatItMakes: Bool = false, keepingSamples: Bool = false, at moment: DeviceMoment
    ) {
        // Without a claim, the array that all devices of a model share.
        let commands = claim == nil ? behaviour.commands : behaviour.commands + [.commitClaim]
        let profile = BehaviourCatalog.standard.profile(
            of: identity, taking: commands, on: behaviour.describedPlan)
        let reporter = DeviceReporter(
            of: profile, as: identity, seed: seed, boot: boot, claim: claim, at: moment.world)
        output = DeviceOutput(
            reporter, restoring: journal, having: faults, sessionExpiry: sessionExpiry,
            tellingWhatItMakes: tellingWhatItMakes, keepingSamples: keepingSamples, at: moment)
        let grid = SamplingGrid(
            every: telemetryInterval, of: identity, withItsHome: behaviour.samplesWithItsHome)
        timetable = Timetable(grid: grid, at: moment)
        self.behaviour = behaviour
        self.faults = faults
        nextReboot = faults.nextReboot(after: moment.world)
        arrival = moment
        restart()
    }

    /// Handles an input once the world has come to the last instant before it, where it takes effect.
    mutating func take(_ input: DeviceInput, at moment: DeviceMoment) {
        arrival = moment
        output.now = moment.showing(timetable.reached)
        expireWaitingActions()
        take(input)
        performDueWork()
    }

    private mutating func take(_ input: DeviceInput) {
        switch input {
        case .connected: output.connect()
        case .disconnected: output.disconnect()
        case .command(let payload, let retained, let responseTopic, let lane):
            take(
                ArrivedCommand(
                    payload: payload, isRetained: retained, responseTopic: responseTopic,
                    lane: lane))
        case .presence(let message): output.take(message)
        case .hello(let message, let retained): output.take(message, retained: retained)
        case .desired(let payload): reconcile(payload)
        case .confirmed(let confirmation): output.confirm(confirmation)
        case .wake: break
        case .inject(let fault, let end): inject(fault, until: end)
        case .clear(let name): clear(name)
        case .shutDown:
            output.save(memory: behaviour.memory)
            output.shutDown()
        }
    }

    /// Applies the desired document, unless it is the one that was applied last.
    private mutating func reconcile(_ payload: [UInt8]) {
        guard !payload.isEmpty else { return }
        do {
            let message = try DesiredMessage(payload: payload)
            guard message.device == identity.device else { return output.count(.unreadableDesired) }
            let isTaken = try behaviour.reconcile(
                desired: message.settings, revision: message.revision)
            if isTaken { settle([], by: nil) }
        } catch {
            output.count(.unreadableDesired)
        }
    }

    /// Does everything that is due by now.
    private mutating func performDueWork() {
        output.performDueWork()
        sendDueProgress()
        output.sendDelayedAcks(dueBy: now.monotonic)
        if timetable.takeMemory(at: now.monotonic) { output.save(memory: behaviour.memory) }
        rebootIfDue()
    }

    /// Starts anew if it is time. It is the last thing that is asked for: the owner replaces the device.
    private mutating func rebootIfDue() {
        guard let due = nextReboot, due <= now.world else { return }
        nextReboot = faults.nextReboot(after: now.world)
        if !isSwitchedOff { output.restart() }
    }
}

extension SimulatedDevice {
    /// Who the device is.
    package var identity: DeviceIdentity { output.reporter.identity }

    /// This start of the device.
    package var boot: BootID { output.reporter.boot }

    /// What the device keeps across restarts, up to the last action that it returned.
    package var journal: DeviceJournalState { output.journal }

    /// What the broker publishes if the connection breaks.
    package var will: PresenceMessage { output.presence(.offline) }

    /// What the device is.
    package var description: DescriptionMessage { output.reporter.description }

    /// Its state as it was written last.
    package var lastState: StateMessage { output.reporter.lastState }

    /// What its state says that it does, as one word: its activity, or the mode of a device that has none.
    package var activityName: String { behaviour.activityName }

    /// Whether it has no connection, and makes none.
    package var isKeptOffline: Bool { !output.absences.isEmpty }

    /// Whether it is off, so that it neither does nor measures anything.
    var isSwitchedOff: Bool { output.absences.contains(.dead) }

    /// The moment of the present input, with the world clock at the instant where it takes effect.
    var now: DeviceMoment { output.now }

    /// When the device wants the next ``DeviceInput/wake`` (monotonic clock).
    package var nextWake: Duration? { earliest(nextDue, arrival.monotonic(at: nextInstant)) }

    /// Whether it wants a ``DeviceInput/wake`` at a moment.
    func isDue(at moment: DeviceMoment) -> Bool {
        nextInstant <= moment.world || nextDue.map { $0 <= moment.monotonic } ?? false
    }

    /// When it has something to do that does not belong to its world (monotonic clock).
    var nextDue: Duration? {
        earliest(timetable.nextMemory, earliest(output.nextDue, lane.nextDue(at: now)))
    }

    /// When it has something to say over its connection at the latest, whatever its world does (monotonic clock).
    package var nextReply: Duration? {
        earliest(output.link.nextDue, lane.nextDue(at: now))
    }

    /// The next instant of its world at which something may be to be said.
    var nextInstant: Timestamp {
        var instant = min(timetable.nextSample, timetable.latestStep)
        if behaviour.stepInterval != nil { instant = min(instant, timetable.nextSecond) }
        if let due = earliest(faults.nextEnd, earliest(powerChange?.due, nextReboot)) {
            instant = min(instant, max(due, timetable.nextSecond))
        }
        return instant
    }
}
