import DeviceDomain
import DeviceMessages

/// What a device says and records: its messages, its record and its connection, and what its owner has to do about
/// them.
///
/// It knows nothing of what the device does: whoever carries out a command, or steps the world, says here what came
/// of it.
struct DeviceOutput: Sendable {
    /// Makes the messages of this boot.
    private(set) var reporter: DeviceReporter
    /// What the device keeps across restarts, up to the last action.
    private(set) var journal: DeviceJournalState
    /// What it knows of its connection.
    private(set) var link = DeviceLink()
    /// Why it has none, if that is not the broker's doing.
    private(set) var absences: Absences
    /// The way of its messages to the connection.
    private var path: MessagePath
    /// The moment of the present input, with the world clock at the instant where it takes effect.
    var now: DeviceMoment
    /// How long the broker keeps its session.
    let sessionExpiry: Duration
    /// Whether its owner wants to know what it makes.
    private let tellsWhatItMakes: Bool
    /// Whether samples that it makes without a connection wait for one.
    private let keepsSamples: Bool
    /// What the present input has asked for so far; after the start, what the record asked for.
    private var actions: [DeviceAction] = []

    /// The output of a device at its start.
    /// - Parameters:
    ///   - journal: what it kept from its former starts.
    ///   - sessionExpiry: how long the broker keeps its session.
    ///   - tellingWhatItMakes: whether it gives ``DeviceAction/made(_:)``; the first one is the description.
    ///   - keepingSamples: whether samples that it makes without a connection wait for one.
    init(
        _ reporter: DeviceReporter, restoring journal: DeviceJournalState,
        having faults: ActiveFaults, sessionExpiry: Duration, tellingWhatItMakes: Bool,
        keepingSamples: Bool = false, at moment: DeviceMoment
    ) {
        self.reporter = reporter
        self.journal = journal
        self.sessionExpiry = sessionExpiry
        self.tellsWhatItMakes = tellingWhatItMakes
        keepsSamples = keepingSamples
        absences = faults.absences
        path = MessagePath(
            of: reporter.identity, seed: reporter.seed, boot: reporter.boot, having: faults)
        now = moment
        if tellsWhatItMakes { actions.append(.made(.description(reporter.description))) }
    }

    /// What has to be done, in this order.
    mutating func takeActions() -> [DeviceAction] {
        defer { actions = [] }
        return actions
    }

    /// Asks for a record and takes it in.
    mutating func record(_ record: JournalRecord) {
        journal.apply(record)
        actions.append(.record(record))
    }

    /// Counts something.
    mutating func count(_ counter: DeviceCounter) { actions.append(.count(counter)) }

    /// Asks for the end of the connection by the network.
    mutating func resetConnection() { actions.append(.resetConnection) }

    /// Asks for another network.
    mutating func changeLink() { actions.append(.changeLink) }

    /// Asks for a start anew.
    mutating func restart() { actions.append(.restart) }

    /// Publishes, if there is a connection: what is not published now is published again after
    /// the next connect, or is out of date by then.
    mutating func publish(_ publication: DevicePublication, confirming: Confirmation? = nil) {
        guard link.isConnected else { return }
        let departure = Departure(publication: publication, confirming: confirming)
        guard path.isDisturbed else { return send(departure) }
        for passage in path.take(departure, at: now) {
            switch passage {
            case .leaves(let departure): send(departure)
            case .waits(let departure, let due): link.delay(departure, until: due)
            case .lost(let confirmation): if let confirmation { confirm(confirmation) }
            }
        }
    }

    private mutating func send(_ departure: Departure) {
        actions.append(.publish(departure.publication, confirming: departure.confirming))
    }

    /// Sends the acks whose delay is over; `nil` for all of them.
    mutating func sendDelayedAcks(dueBy time: Duration?) {
        let due = link.takeDelayedAcks(dueBy: time)
        guard !path.withholdsAcks else { return }
        for ack in due { send(ack.departure) }
    }

    /// Forgets the acks that were to leave late.
    mutating func dropDelayedAcks() { _ = link.takeDelayedAcks(dueBy: nil) }

    /// Sends the messages that have waited long enough for another one.
    mutating func sendOverdue() {
        for departure in path.takeOverdue(at: now.monotonic) { send(departure) }
    }

    /// When something is due over the connection next (monotonic clock).
    var nextDue: Duration? { earliest(link.nextDue, path.nextDue) }

    /// Takes the faults that the device has from now on.
    mutating func follow(_ faults: ActiveFaults) {
        path.follow(faults, after: reporter.lastState)
    }

    /// Makes something of its world known: tells its owner, and publishes it if there is a connection.
    private mutating func make(_ publication: DevicePublication) {
        if tellsWhatItMakes { actions.append(.made(publication)) }
        publish(publication)
    }
}

// What it says of its world.
extension DeviceOutput {
    /// Whether anybody hears of a sample.
    var isHeard: Bool { link.isConnected || tellsWhatItMakes || keepsSamples }

    /// Takes a new state; it is published later.
    mutating func setState(_ recorded: RecordedState, measured: JSONObject) {
        reporter.setState(recorded, measured: measured, at: now.world)
    }

    /// Publishes the state as it was last written.
    mutating func publishState() {
        reporter.stateWasPublished(at: now.world)
        make(.state(reporter.lastState))
    }

    /// Whether it is time to look for measured members that changed.
    mutating func takeMeasuredTurn() -> Bool { reporter.takeMeasuredTurn(at: now.world) }

    /// Counts sampling instants that nobody hears of.
    mutating func countSamples(_ count: Int) { reporter.countSamples(count) }

    /// Makes the sample of the last instant that was counted; `write` writes its values.
    mutating func sample(writingValues write: (inout JSONWriter) -> Void) {
        let sample = reporter.sample(at: now.world, writingValues: write)
        make(.telemetry(sample))
        if keepsSamples, !link.isConnected, link.hold(sample) { count(.droppedSample) }
    }

    /// Makes an event; without a connection it waits for one.
    mutating func announce(_ name: EventName, _ detail: JSONObject) {
        let event = reporter.event(name, detail, at: now.world)
        make(.event(event))
        if !link.isConnected, link.hold(event) { count(.droppedEvent) }
    }

    /// Records what survives a restart besides the state, if it changed.
    /// - Parameter memory: as ``DeviceBehaviour/memory``.
    mutating func save(memory: [UInt8]) {
        if memory != journal.memory { record(.memory(memory)) }
    }
}

// The connection: announcing, hello, the repair of the presence, confirmations, the end.
extension DeviceOutput {
    /// Announces the device and publishes again what the broker has not confirmed.
    mutating func connect() {
        link.isConnected = true
        announceSelf()
        publishUnconfirmedFinals()
        for event in link.takeHeldEvents() { publish(.event(event)) }
        for var sample in link.takeHeldSamples() {
            sample.hasWaited = true
            publish(.telemetry(sample))
        }
    }

    /// Handles the loss of the connection.
    mutating func disconnect() {
        link.isConnected = false
        link.dropPlans()
        path.dropWaiting()
    }

    /// Ends the connection for a reason.
    mutating func leave(for reason: Absences) {
        let wasThere = absences.isEmpty
        absences.insert(reason)
        guard wasThere else { return }
        disconnect()
        actions.append(.dropConnection)
    }

    /// Connects again, unless there is another reason not to.
    mutating func comeBack(from reason: Absences) {
        guard absences.remove(reason) != nil, absences.isEmpty else { return }
        actions.append(.connect)
    }

    /// Starts anew after it was off; connects then unless there is another reason not to.
    mutating func switchOn() {
        guard absences.remove(.dead) != nil else { return }
        restart()
    }

    /// Publishes that the device is offline, and ends the connection.
    mutating func shutDown() {
        publish(.presence(presence(.offline)))
        disconnect()
    }

    /// Its presence at this moment.
    func presence(_ status: PresenceReport.Status) -> PresenceMessage {
        reporter.presence(status, committed: journal.committedClaim, at: now.wire)
    }

    /// Publishes the presence, as after a change of what it says.
    mutating func publishPresence() { publish(.presence(presence(.online))) }

    /// Says what and how it is; what it says again is not made again.
    mutating func announceSelf() {
        publish(.description(reporter.description))
        publishPresence()
        publish(.state(path.announced(reporter.lastState)))
    }

    /// Repairs the presence: a will of this or of a former connection may arrive late (PROTOCOL
    /// section 2).
    mutating func take(_ message: PresenceMessage) {
        guard message.device == reporter.identity.device, link.isConnected else { return }
        switch message.report.status {
        case .online: if message.report.boot != reporter.boot { count(.foreignPresence) }
        case .offline: if link.scheduleRepair(at: now.monotonic) { count(.presenceRepair) }
        }
    }

    /// Announces the device within the spread that was asked for, at a time of its own.
    mutating func take(_ hello: HelloMessage, retained: Bool) {
        guard !retained, link.isConnected, link.admitsHello(at: now.monotonic) else {
            return count(.ignoredHello)
        }
        link.announce(at: now.monotonic + reporter.delay(answering: hello))
    }

    /// Does what is due over the connection by now.
    mutating func performDueWork() {
        if link.takeRepair(at: now.monotonic) { publishPresence() }
        if link.takeAnnouncement(at: now.monotonic) { announceSelf() }
        sendOverdue()
    }
}
