import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages

/// A small world: one or two commands, a controller that can be killed, its ledger, a link that loses and
/// duplicates, and a device. Only the controller's state machines are production code.
///
/// The link keeps the order in which commands first reach the device, as MQTT does for one publisher
/// and one subscriber. A command that was received may come again at any time, and what a device has
/// said may be heard at any time, in any order, often or never. That is more than a link does, and it
/// makes the world smaller: no acks are under way, whose orders would have to be told apart.
struct ModelWorld: Sendable {
    static let start = Moment(wall: Timestamp(milliseconds: 1_764_000_000_000), elapsed: .zero)
    /// How many commands are under way at a time, at most.
    static let room = 3
    /// How many acks a command has before it no longer comes again: a wrong device could answer for ever.
    static let wordLimit = 4

    let scenario: ModelScenario
    var elapsed = Duration.zero
    var controller: ModelController? = ModelController()
    var isLinkUp = true
    var ledger: [CommandProgress?] = [nil, nil]
    var departures: [ModelDeparture] = [.never, .never]
    /// The commands under way that the device has not received yet.
    var wire: [Int] = []
    var device = ModelDevice()
    var isBootUnseen = false
    /// The first rule that the last event broke.
    var violation: String?

    init(_ scenario: ModelScenario) { self.scenario = scenario }

    var moment: Moment {
        Moment(wall: Self.start.wall.advanced(by: elapsed), elapsed: elapsed)
    }

    var isExpired: Bool { elapsed >= .seconds(30) }

    var reach: Reach { isLinkUp ? .reachable : .linkDown("") }

    func lane(of command: Int) -> ModelLane {
        scenario.intents[command].lane == .urgent ? .urgent : .normal
    }

    mutating func breakRule(_ rule: String) { if violation == nil { violation = rule } }
}

// MARK: - What the invoker does

extension ModelWorld {
    /// Hands an event to a command and does what it returns, as the invoker does.
    mutating func post(_ event: LifecycleEvent, to command: Int) {
        let now = moment
        let before = controller?.followers[command]?.lifecycle.progress
        guard let actions = controller?.followers[command]?.lifecycle.handle(event, at: now)
        else { return }
        let isChanged = controller?.followers[command]?.lifecycle.progress != before
        if event.isWithdrawal || !isChanged || record(command) {
            perform(actions, for: command)
            standInLine(command)
        } else if standsInLine(command) != .ready {
            standInLine(command)
        }
        sendAgainWrongly(command, after: event)
    }

    private mutating func perform(_ actions: [LifecycleAction], for command: Int) {
        for action in actions {
            switch action {
            case .readSettings: breakRule("the link of this world keeps no settings")
            case .ask:
                if controller?.questions[command] == Question.none {
                    controller?.questions[command] = .asked
                }
            case .report(let anomaly):
                breakRule("an anomaly without cause: \(anomaly.kind.rawValue)")
            }
        }
    }

    private typealias Question = ModelController.Question

    /// Compare and set.
    private mutating func record(_ command: Int) -> Bool {
        guard let follower = controller?.followers[command], let known = ledger[command] else {
            return false
        }
        guard known.step == follower.knownStep else {
            controller?.followers[command]?.lifecycle.yield(to: known)
            controller?.followers[command]?.knownStep = known.step
            return false
        }
        write(follower.lifecycle.progress, of: command)
        return true
    }

    private mutating func write(_ progress: CommandProgress, of command: Int) {
        var progress = progress
        if scenario.flaw == .timeoutIsFailure, progress.state == .unknown {
            progress.state = .expired
        }
        ledger[command] = progress
        controller?.followers[command]?.knownStep = progress.step
    }

    func standsInLine(_ command: Int) -> QueuePlace? {
        controller?.followers[command]?.lifecycle.place
    }

    private mutating func standInLine(_ command: Int) {
        guard let place = standsInLine(command) else { return }
        tell(.placed(scenario.intents[command].id, sequence: command, place), command)
    }

    mutating func tell(_ event: CommandQueue.Event, _ command: Int) {
        let lane = scenario.intents[command].lane
        let actions = controller?.outbox.handle(event, in: lane) ?? []
        for case .turn(let id, _) in actions {
            guard let next = scenario.intents.firstIndex(where: { $0.id == id }) else { continue }
            let place = self.lane(of: next).rawValue
            controller?.turns[place] = next
        }
    }

    /// A command whose turn it is leaves if it still wants to; the next one follows.
    mutating func takeTurns(in lane: ModelLane) {
        while controller?.turns[lane.rawValue] != nil, controller?.handover(in: lane) == nil {
            takeTurn(in: lane)
        }
    }

    private mutating func takeTurn(in lane: ModelLane) {
        guard let command = controller?.turns[lane.rawValue],
            var follower = controller?.followers[command]
        else { return }
        controller?.turns[lane.rawValue] = nil
        let attempt = follower.lifecycle.takeTurn(at: moment)
        controller?.followers[command]?.lifecycle = follower.lifecycle
        if attempt != nil {
            handOver(command)
        } else {
            tell(.turnEnded, command)
        }
    }

    private mutating func handOver(_ command: Int) {
        checkDeparture(of: command)
        let handover = ModelController.Handover(
            command: command, lane: lane(of: command), hasLeft: false,
            before: departures[command])
        controller?.handovers.append(handover)
        departures[command] = .byThisProcess
    }

    /// The link has answered a send.
    mutating func endHandover(in lane: ModelLane, _ result: SendResult, hasLeft: Bool = true) {
        guard let handover = controller?.handover(in: lane) else { return }
        controller?.handovers.removeAll { $0.lane == lane }
        if !hasLeft { departures[handover.command] = handover.before }
        post(.sendEnded(result), to: handover.command)
        tell(.turnEnded, handover.command)
    }

    private mutating func sendAgainWrongly(_ command: Int, after event: LifecycleEvent) {
        guard scenario.flaw == .resendAfterAck, event == .wake, isLinkUp,
            controller?.handover(in: lane(of: command)) == nil,
            controller?.followers[command]?.lifecycle.state.isUnderWay == true
        else { return }
        handOver(command)
    }

    // MARK: Taking in and taking over

    /// Accepts a command into the ledger and begins to send it.
    mutating func submit(_ command: Int) {
        let intent = scenario.intents[command]
        var lifecycle = CommandLifecycle(
            intent, traits: .all, at: moment, seed: UInt64(command))
        let actions = lifecycle.handle(.enqueued(reach), at: moment)
        controller?.followers[command] = ModelController.Follower(
            lifecycle: lifecycle, knownStep: lifecycle.progress.step, isAdopted: true)
        tell(.reserved(intent.id), command)
        if scenario.flaw != .wireBeforeLedger { ledger[command] = lifecycle.progress }
        if !lifecycle.state.isSettled { supersede(for: command) }
        if intent.offline == .barrier { overrule(by: command) }
        perform(actions, for: command)
        standInLine(command)
    }

    /// What the ledger withdraws in the transaction that takes a later command in.
    private mutating func supersede(for later: Int) {
        for earlier in 0..<later where scenario.intents[later].supersedes(scenario.intents[earlier])
        {
            guard let progress = ledger[earlier], progress.isWaiting else { continue }
            withdraw(
                earlier, to: progress.superseded(by: scenario.intents[later], at: moment.wall))
        }
    }

    mutating func withdraw(_ command: Int, to progress: CommandProgress) {
        ledger[command] = progress
        if controller?.followers[command] != nil { controller?.unnoticed[command] = true }
    }

    private mutating func overrule(by later: Int) {
        for earlier in 0..<later where scenario.intents[later].supersedes(scenario.intents[earlier])
        {
            guard controller?.followers[earlier]?.lifecycle.state.isFinal == false else { continue }
            post(.overruled(by: scenario.intents[later].name), to: earlier)
        }
    }

    /// Follows a command of the ledger.
    mutating func follow(_ command: Int, isAdopted: Bool) {
        guard let progress = ledger[command], controller?.followers[command] == nil else { return }
        let isBlind = scenario.flaw == .blindResend && !progress.state.isSettled
        let lifecycle = CommandLifecycle(
            scenario.intents[command], traits: .all, progress: isBlind ? nil : progress,
            at: moment, seed: UInt64(2 + command))
        controller?.followers[command] = ModelController.Follower(
            lifecycle: lifecycle, knownStep: progress.step, isAdopted: isAdopted)
        if !isBlind { standInLine(command) }
    }

    mutating func adopt(_ command: Int) {
        controller?.followers[command]?.isAdopted = true
        guard scenario.flaw == .blindResend else { return post(.adopted(reach), to: command) }
        post(.enqueued(reach), to: command)
    }
}

extension LifecycleEvent {
    /// Whether the ledger has its effect already.
    fileprivate var isWithdrawal: Bool { if case .withdrawn = self { true } else { false } }
}
