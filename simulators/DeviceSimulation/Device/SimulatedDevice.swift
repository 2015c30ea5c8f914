import Basics
package import DeviceDomain
package import DeviceMessages

/// A simulated device: the rules of PROTOCOL section 3 around the behaviour of one kind.
///
/// A synchronous value: every input gives the actions that its owner has to carry out, in order.
/// It has no clock and no randomness of its own; the same seed, identity, record and inputs give
/// the same actions, to the byte.
package struct SimulatedDevice: Sendable {
    /// Who the device is.
    package let identity: DeviceIdentity
    /// This start of the device.
    package let boot: BootID
    /// What the device keeps across restarts, up to the last action that it returned.
    package internal(set) var journal: DeviceJournalState

    /// The claim by which it came into its home; `nil` for a device that was always there.
    let claim: ClaimNonce?
    /// What it says of itself.
    let profile: DeviceProfile
    /// How long the broker keeps its session.
    let sessionExpiry: Duration
    /// Whether its owner wants to know what it makes.
    let tellsWhatItMakes: Bool
    /// What its kind does.
    var behaviour: any DeviceBehaviour
    /// The action that runs and those that wait.
    var lane = ActionLane()
    /// What it knows of its connection.
    var link = DeviceLink()
    /// Why it has none, if that is not the broker's doing.
    var absences: Set<Absence>
    /// What the power of its home is about to do to the connection.
    var powerChange: PowerChange?
    /// The faults that it has.
    package internal(set) var faults: ActiveFaults
    /// When it does what it does by itself.
    var timetable: Timetable
    /// Where the ids of its events come from.
    var generator: SeededGenerator
    /// The state as it was written last.
    var lastState: StateMessage
    /// The digest of the controlled members when they were last compared.
    var comparedDigest: Int?
    /// How many sampling instants there were in this boot, with or without a connection.
    var sampleCount = 0
    /// The moment of the present input, with the world clock at the instant where it takes effect.
    var now: DeviceMoment
    /// The moment of the present input, by all clocks.
    var arrival: DeviceMoment
    /// What the present input has asked for so far; after the start, what the record asked for.
    var actions: [DeviceAction] = []

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
    ///   - wearing: whether faults come from its world itself.
    /// - Throws: ``UnsimulatedModel`` if no behaviour is known for the model.
    package init(
        identity: DeviceIdentity, seed: UInt64, homeSeed: UInt64? = nil,
        regionSeed: UInt64? = nil, boot: BootID, telemetryInterval: Duration,
        sessionExpiry: Duration = .seconds(3600), claim: ClaimNonce? = nil,
        restoring journal: DeviceJournalState = .empty, having faults: ActiveFaults = .none,
        tellingWhatItMakes: Bool = false, wearing: Bool = false, at moment: DeviceMoment
    ) throws(UnsimulatedModel) {
        let seeds = DeviceSeeds(
            device: seed, home: homeSeed ?? seed, region: regionSeed)
        var behaviour = try BehaviourCatalog.standard.makeBehaviour(
            identity: identity, seed: seeds, at: moment.world)
        if wearing { behaviour.beginToWear(identity, seeds) }
        self.init(
            identity: identity, behaviour: behaviour, seed: seed, boot: boot,
            telemetryInterval: telemetryInterval, sessionExpiry: sessionExpiry, claim: claim,
            restoring: journal, having: faults, tellingWhatItMakes: tellingWhatItMakes, at: moment)
    }

    /// A device with a behaviour of one's own.
    init(
        identity: DeviceIdentity, behaviour: any DeviceBehaviour, profile: DeviceProfile? = nil,
        seed: UInt64, boot: BootID, telemetryInterval: Duration,
        sessionExpiry: Duration = .seconds(3600), claim: ClaimNonce? = nil,
        restoring journal: DeviceJournalState = .empty, having faults: ActiveFaults = .none,
        tellingWhatItMakes: Bool = false, at moment: DeviceMoment
    ) {
        self.identity = identity
        self.boot = boot
        self.journal = journal
        self.behaviour = behaviour
        self.claim = claim
        self.faults = faults
        absences = faults[.offline] == nil ? [] : [.fault]
        // Without a claim, the array that all devices of a model share.
        let commands = claim == nil ? behaviour.commands : behaviour.commands + [.commitClaim]
        self.profile =
            profile
            ?? BehaviourCatalog.standard.profile(
                of: identity, taking: commands, on: behaviour.describedPlan)
        self.sessionExpiry = sessionExpiry
        self.tellsWhatItMakes = tellingWhatItMakes
        generator = SeededGenerator(
            seed: seed, identity: identity, purpose: "events/\(boot.text)")
        timetable = Timetable(
            grid: SamplingGrid(
                every: telemetryInterval,
                phase: Self.phase(of: identity, withItsHome: behaviour.samplesWithItsHome)),
            at: moment)
        lastState = StateMessage(
            device: identity.device, boot: boot, revision: 0, at: moment.world, by: nil, state: [:])
        now = moment
        arrival = moment
        if tellsWhatItMakes { actions.append(.made(.description(description))) }
        restart()
    }

    /// Handles an input of a device that is alone in its home.
    /// - Returns: what has to be done about it, in this order.
    package mutating func handle(_ input: DeviceInput, at moment: DeviceMoment) -> [DeviceAction] {
        skipLongPause(until: moment.world)
        while timetable.nextInstant <= moment.world {
            advance(to: timetable.nextInstant, at: moment)
        }
        take(input, at: moment)
        return takeActions()
    }

    /// Handles an input once the world has come to the last instant before it, where it takes effect.
    mutating func take(_ input: DeviceInput, at moment: DeviceMoment) {
        arrival = moment
        now = moment.showing(timetable.reached)
        expireWaitingActions()
        take(input)
        performDueWork()
    }

    /// What has to be done, in this order.
    mutating func takeActions() -> [DeviceAction] {
        defer { actions = [] }
        return actions
    }

    /// When a device samples within its interval: by its name, or by its home's.
    private static func phase(of identity: DeviceIdentity, withItsHome: Bool) -> UInt64 {
        let purpose = "telemetry"
        var generator =
            withItsHome
            ? SeededGenerator(seed: 0, home: identity.home, purpose: purpose)
            : SeededGenerator(seed: 0, identity: identity, purpose: purpose)
        return generator.next()
    }

    private mutating func take(_ input: DeviceInput) {
        switch input {
        case .connected: connect()
        case .disconnected: disconnect()
        case .command(let payload, let retained, let responseTopic, let lane):
            take(
                ArrivedCommand(
                    payload: payload, isRetained: retained, responseTopic: responseTopic,
                    lane: lane))
        case .presence(let message): take(message)
        case .hello(let message, let retained): take(message, retained: retained)
        case .desired(let payload): reconcile(payload)
        case .confirmed(let confirmation): confirm(confirmation)
        case .wake: break
        case .inject(let fault, let end): inject(fault, until: end)
        case .clear(let name): clear(name)
        case .shutDown: shutDown()
        }
    }
}

extension SimulatedDevice {
    /// What the broker publishes if the connection breaks.
    package var will: PresenceMessage { presence(.offline) }

    /// What the device is.
    package var description: DescriptionMessage { DescriptionMessage(profile: profile) }

    /// What its state says that it does, as one word: its activity, or the mode of a device that has none.
    package var activityName: String { behaviour.activityName }

    /// When the device wants the next ``DeviceInput/wake`` (monotonic clock).
    package var nextWake: Duration? {
        var times = [timetable.nextMemory]
        if let due = nextWorldWake { times.append(due) }
        if let due = link.announcement { times.append(due) }
        if let due = link.repair { times.append(due) }
        if let ack = link.delayedAcks.first { times.append(ack.due) }
        for item in lane.items { times.append(item.nextProgress) }
        for item in lane.items.dropFirst(lane.running == nil ? 0 : 1) {
            let wait = max(item.expiresAt.since(now.wire), .zero)
            times.append(now.monotonic + wait + .milliseconds(1))
        }
        return times.min()
    }

    /// When the world comes to the next instant at which something may be to be said.
    private var nextWorldWake: Duration? {
        var instants = [timetable.nextSample, timetable.latestStep]
        if behaviour.stepInterval != nil { instants.append(timetable.nextSecond) }
        for due in [faults.nextEnd, powerChange?.due].compactMap(\.self) {
            instants.append(max(due, timetable.nextSecond))
        }
        return instants.min().flatMap(arrival.monotonic)
    }

    /// Its presence at this moment.
    func presence(_ status: PresenceReport.Status) -> PresenceMessage {
        PresenceMessage(
            device: identity.device,
            report: PresenceReport(
                status: status, boot: boot, at: now.wire,
                claim: status == .online ? openClaim : nil))
    }

    /// The claim that still has to be committed.
    private var openClaim: ClaimNonce? { journal.committedClaim == claim ? nil : claim }
}
