import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages

/// One command's lifecycle with a clock that stands still until it is moved.
struct LifecycleBench {
    static let start = Moment(wall: Timestamp(milliseconds: 1_764_000_000_000), elapsed: .zero)

    let device: DeviceID
    let boot: BootID
    var moment = LifecycleBench.start
    var lifecycle: CommandLifecycle
    /// Whether the lane is free, so that a turn comes as soon as it is asked for.
    var isLaneFree = true

    init(
        sort: CommandSort = .action, offline: OfflinePolicy = .expire(after: .seconds(600)),
        lifetime: Duration = .seconds(30), traits: ChannelTraits = .all, seed: UInt64 = 1,
        name: String = "start-cleaning", arguments: JSONObject = [:], ifRevision: Int? = nil,
        isDryRun: Bool = false
    ) throws {
        device = try DeviceID("robot-1")
        boot = try BootID("b1")
        let intent = CommandIntent(
            id: CommandID(at: Self.start.wall),
            controller: try ControllerID("ctl"), home: try HomeID("home-1"), device: device,
            name: CommandName(rawValue: name), arguments: arguments, sort: sort, offline: offline,
            issuedAt: Self.start.wall, expiresAt: Self.start.wall.advanced(by: lifetime),
            ifRevision: ifRevision, isDryRun: isDryRun)
        lifecycle = CommandLifecycle(intent, traits: traits, at: Self.start, seed: seed)
    }

    var state: CommandState { lifecycle.state }

    /// What an owner does after an event, in this order.
    enum Step: Hashable {
        /// It writes the progress into the ledger.
        case record
        /// It gives the command a place in line.
        case getInLine
        /// It hands the bytes to the link.
        case publish(attempt: Int)
        /// It does what the lifecycle wants.
        case perform(LifecycleAction)

        static let ask = Step.perform(.ask)
        static let readSettings = Step.perform(.readSettings)
        static func report(_ anomaly: CommandAnomaly) -> Step { .perform(.report(anomaly)) }
    }

    /// Where the lane is free the command has its turn as soon as it is in line.
    @discardableResult
    mutating func handle(_ event: LifecycleEvent) -> [Step] {
        let (before, placeBefore) = (lifecycle.progress, lifecycle.place)
        let actions = lifecycle.handle(event, at: moment)
        var steps: [Step] = []
        if case .withdrawn = event {} else if lifecycle.progress != before { steps.append(.record) }
        steps += actions.map(Step.perform)
        guard placeBefore != .ready, lifecycle.place == .ready else { return steps }
        return steps + (isLaneFree ? takeTurn() : [.getInLine])
    }

    /// The lane is free.
    mutating func takeTurn() -> [Step] {
        lifecycle.takeTurn(at: moment).map { [.publish(attempt: $0)] } ?? []
    }

    mutating func handle(_ events: LifecycleEvent...) {
        for event in events { handle(event) }
    }

    /// Moves both clocks and wakes the lifecycle.
    @discardableResult
    mutating func pass(_ time: Duration) -> [Step] {
        moment.elapsed += time
        moment.wall = moment.wall.advanced(by: time)
        return handle(.wake)
    }

    /// Goes to the next deadline and wakes the lifecycle there.
    @discardableResult
    mutating func passToNextWake() -> [Step] {
        guard let due = lifecycle.nextWake else { return [] }
        return pass(due - moment.elapsed + .nanoseconds(999_999))
    }

    /// What a new process sees of the command after a crash.
    func afterCrash(at later: Moment? = nil) -> LifecycleBench {
        var copy = self
        copy.moment = later ?? moment
        copy.lifecycle = CommandLifecycle(
            lifecycle.intent, traits: lifecycle.traits, progress: lifecycle.progress,
            at: copy.moment, seed: 2)
        return copy
    }

    func ack(
        _ stage: AckStage, n: Int? = 1, code: AckCode = .ok, device other: DeviceID? = nil,
        boot otherBoot: BootID? = nil, isFinal: Bool? = nil, result: JSONObject = [:],
        message: String = "", revision: Int? = 5, source: CommandEvidence.Source = .device
    ) -> CommandEvidence {
        CommandEvidence(
            id: lifecycle.intent.id, device: other ?? device, source: source, stage: stage,
            isFinal: isFinal, code: code, message: message, result: result, revision: revision,
            boot: otherBoot ?? boot, n: n, executions: 1, at: moment.wall)
    }

    /// What a channel concludes from the device's state.
    func readBack(_ stage: AckStage = .succeeded) -> CommandEvidence {
        CommandEvidence(
            id: lifecycle.intent.id, device: device, source: .readBack, stage: stage)
    }

    /// Leads a new command to a state by the shortest way.
    static func inState(
        _ state: CommandState, sort: CommandSort = .action,
        offline: OfflinePolicy = .expire(after: .seconds(600)), traits: ChannelTraits = .all
    ) throws -> LifecycleBench {
        var bench = try LifecycleBench(sort: sort, offline: offline, traits: traits)
        guard state != .created else { return bench }
        bench.handle(.enqueued(.linkDown("")))
        switch state {
        case .created, .queued: break
        case .expired: bench.pass(.seconds(30))
        case .refused:
            bench.handle(.reach(.reachable), .sendEnded(.receipt(.refused(.forbidden, "no"))))
        case .sending: bench.handle(.reach(.reachable))
        case .sent, .unknown, .accepted, .running, .succeeded, .failed, .rejected, .cancelled,
            .superseded:
            bench.handle(.reach(.reachable), .sendEnded(.receipt(.confirmed)))
            bench.lead(to: state)
        }
        return bench
    }

    private mutating func lead(to state: CommandState) {
        switch state {
        case .unknown: pass(.seconds(30))
        case .accepted: handle(.evidence(ack(.accepted)))
        case .running: handle(.evidence(ack(.progress, n: 2)))
        case .succeeded: handle(.evidence(ack(.succeeded, n: 2)))
        case .failed: handle(.evidence(ack(.failed, n: 2, code: .stuck)))
        case .rejected: handle(.evidence(ack(.rejected, code: .wrongState)))
        case .cancelled: handle(.evidence(ack(.cancelled, n: 2, code: .cancelled)))
        case .superseded: handle(.evidence(ack(.superseded, n: 2, code: .superseded)))
        case .created, .queued, .sending, .sent, .refused, .expired: break
        }
    }
}

extension ChannelTraits {
    /// A channel that can report and promise everything.
    static var all: ChannelTraits { Set(ChannelTrait.allCases) }

    /// A channel that can report and promise everything but these.
    static func all(but missing: ChannelTrait...) -> ChannelTraits { all.subtracting(missing) }
}
