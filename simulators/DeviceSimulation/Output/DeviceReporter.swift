import Basics
import DeviceDomain
import DeviceMessages

/// Makes the messages of one boot of a device, and remembers of them what the next ones depend on.
struct DeviceReporter: Sendable {
    /// The least time between two publishes of a state of one revision (PROTOCOL section 2).
    static let measuredInterval = Duration.seconds(30)

    /// Who the device is.
    let identity: DeviceIdentity
    /// What the device's own randomness derives from.
    let seed: UInt64
    /// This start of the device.
    let boot: BootID
    /// What it says of itself.
    let profile: DeviceProfile
    /// The claim by which it came into its home; `nil` for a device that was always there.
    let claim: ClaimNonce?
    /// The revision of the state that was written last.
    private var recorded: RecordedState
    /// The measured members with which it was written.
    private var measured: JSONObject = [:]
    /// When it was written (world clock).
    private var stateAt: Timestamp
    /// How many sampling instants there were in this boot, with or without a connection.
    private(set) var sampleCount = 0
    /// From when on measured members may be published alone (world clock).
    private var nextMeasured: Timestamp
    /// Where the ids of its events come from.
    private var generator: SeededGenerator
    private let beginningOfSamples: TelemetryMessage.Beginning

    /// The reporter of a device at its start.
    /// - Parameter seed: what the device's own randomness derives from.
    init(
        of profile: DeviceProfile, as identity: DeviceIdentity, seed: UInt64, boot: BootID,
        claim: ClaimNonce?, at world: Timestamp
    ) {
        self.identity = identity
        self.seed = seed
        self.boot = boot
        self.profile = profile
        self.claim = claim
        beginningOfSamples = TelemetryMessage.Beginning(device: identity.device, boot: boot)
        generator = SeededGenerator(
            seed: seed, identity: identity, purpose: "events/\(boot.text)")
        recorded = RecordedState(revision: 0, controlled: [:], by: nil, at: world)
        stateAt = world
        nextMeasured = world.advanced(by: Self.measuredInterval)
    }

    /// What the device is.
    var description: DescriptionMessage { DescriptionMessage(profile: profile) }

    /// The revision of the state that was written last.
    var revision: Int { recorded.revision }

    /// The state as it was written last.
    var lastState: StateMessage {
        StateMessage(
            device: identity.device, boot: boot, revision: recorded.revision, at: stateAt,
            by: recorded.by, state: recorded.controlled.merging(measured) { first, _ in first })
    }

    /// Its presence.
    /// - Parameter committed: the newest claim that was committed; it is no longer named.
    func presence(
        _ status: PresenceReport.Status, committed: ClaimNonce?, at wire: Timestamp
    ) -> PresenceMessage {
        let openClaim = committed == claim ? nil : claim
        return PresenceMessage(
            device: identity.device,
            report: PresenceReport(
                status: status, boot: boot, at: wire, claim: status == .online ? openClaim : nil))
    }

    /// How long after a `hello` the device announces itself: a time of its own within the spread that was asked for.
    func delay(answering hello: HelloMessage) -> Duration {
        var spread = SeededGenerator(seed: 0, identity: identity, purpose: "hello/\(hello.nonce)")
        let delay = spread.uniform(in: 0...Double(hello.spread.wholeMilliseconds))
        return .milliseconds(Int(delay))
    }

    /// An ack of the device at this moment.
    func ack(
        _ id: CommandID, n: Int, _ verdict: Verdict, executions: Int, isFinal: Bool,
        at wire: Timestamp
    ) -> AckMessage {
        AckMessage(
            id: id, device: identity.device, boot: boot, n: n, stage: verdict.stage,
            isFinal: isFinal, code: verdict.code, message: verdict.message,
            percent: verdict.percent, result: verdict.result, revision: revision,
            executions: executions, isReplay: false, at: wire)
    }

    /// Takes a revision of the state, with the measured members of this moment.
    mutating func setState(
        _ recorded: RecordedState, measured: JSONObject, at world: Timestamp
    ) {
        self.recorded = recorded
        self.measured = measured
        stateAt = world
    }

    /// Whether measured members are others than in the last state.
    func isNew(measured: JSONObject) -> Bool {
        measured.contains { self.measured[$0.key] != $0.value }
    }

    /// Whether measured members may be published alone; if so, again after ``measuredInterval``.
    mutating func takeMeasuredTurn(at world: Timestamp) -> Bool {
        guard nextMeasured <= world else { return false }
        stateWasPublished(at: world)
        return true
    }

    /// Notes that the state was published.
    mutating func stateWasPublished(at world: Timestamp) {
        nextMeasured = world.advanced(by: Self.measuredInterval)
    }

    /// Counts sampling instants.
    mutating func countSamples(_ count: Int) { sampleCount += count }

    /// The sample of the last instant that was counted.
    /// - Parameter writingValues: writes its values as one object, its members in the order of their names.
    func sample(
        at world: Timestamp, writingValues: (inout JSONWriter) -> Void
    ) -> WrittenSample {
        let payload = beginningOfSamples.payload(
            at: world, n: sampleCount, writingValues: writingValues)
        return WrittenSample(at: world, payload: payload)
    }

    /// An event, with an id of its own.
    mutating func event(
        _ name: EventName, _ detail: JSONObject, at world: Timestamp
    ) -> EventMessage {
        EventMessage(
            device: identity.device, boot: boot, id: EventID(at: world, using: &generator),
            at: world, event: name, detail: detail)
    }
}
