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

    init(
        sort: CommandSort = .action, offline: OfflinePolicy = .expire(after: .seconds(600)),
        lifetime: Duration = .seconds(30), seed: UInt64 = 1
    ) throws {
        device = try DeviceID("robot-1")
        boot = try BootID("b1")
        var generator = SystemRandomNumberGenerator()
        let intent = CommandIntent(
            id: CommandID(at: Self.start.wall, using: &generator),
            controller: try ControllerID("ctl"), home: try HomeID("home-1"), device: device,
            name: CommandName(rawValue: "start-cleaning"), sort: sort, offline: offline,
            issuedAt: Self.start.wall, expiresAt: Self.start.wall.advanced(by: lifetime))
        lifecycle = CommandLifecycle(intent, at: Self.start, seed: seed)
    }

    var state: CommandState { lifecycle.state }

    @discardableResult
    mutating func handle(_ event: LifecycleEvent) -> [LifecycleAction] {
        lifecycle.handle(event, at: moment)
    }

    mutating func handle(_ events: LifecycleEvent...) {
        for event in events { handle(event) }
    }

    /// Moves both clocks and wakes the lifecycle.
    @discardableResult
    mutating func pass(_ time: Duration) -> [LifecycleAction] {
        moment.elapsed += time
        moment.wall = moment.wall.advanced(by: time)
        return handle(.wake)
    }

    /// Goes to the next deadline and wakes the lifecycle there.
    @discardableResult
    mutating func passToNextWake() -> [LifecycleAction] {
        guard let due = lifecycle.nextWake else { return [] }
        return pass(due - moment.elapsed + .nanoseconds(999_999))
    }

    /// What a new process sees of the command after a crash.
    func afterCrash(at later: Moment? = nil) -> LifecycleBench {
        var copy = self
        copy.moment = later ?? moment
        copy.lifecycle = CommandLifecycle(
            lifecycle.intent, progress: lifecycle.progress, at: copy.moment, seed: 2)
        return copy
    }

    func ack(
        _ stage: AckStage, n: Int = 1, code: AckCode = .ok, device other: DeviceID? = nil,
        boot otherBoot: BootID? = nil, isFinal: Bool? = nil, result: JSONObject = [:],
        message: String = "", revision: Int = 5
    ) -> AckMessage {
        AckMessage(
            id: lifecycle.intent.id, device: other ?? device, boot: otherBoot ?? boot, n: n,
            stage: stage, isFinal: isFinal, code: code, message: message, result: result,
            revision: revision, executions: 1, at: moment.wall)
    }

    /// Leads a new command to a state by the shortest way.
    static func inState(
        _ state: CommandState, sort: CommandSort = .action,
        offline: OfflinePolicy = .expire(after: .seconds(600))
    ) throws -> LifecycleBench {
        var bench = try LifecycleBench(sort: sort, offline: offline)
        guard state != .created else { return bench }
        bench.handle(.enqueued(.linkDown))
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
        case .accepted: handle(.ack(ack(.accepted)))
        case .running: handle(.ack(ack(.progress, n: 2)))
        case .succeeded: handle(.ack(ack(.succeeded, n: 2)))
        case .failed: handle(.ack(ack(.failed, n: 2, code: .stuck)))
        case .rejected: handle(.ack(ack(.rejected, code: .wrongState)))
        case .cancelled: handle(.ack(ack(.cancelled, n: 2, code: .cancelled)))
        case .superseded: handle(.ack(ack(.superseded, n: 2, code: .superseded)))
        case .created, .queued, .sending, .sent, .refused, .expired: break
        }
    }
}
