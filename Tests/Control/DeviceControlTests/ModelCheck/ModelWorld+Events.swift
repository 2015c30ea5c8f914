import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages

extension ModelWorld {
    /// Everything that can happen now. What is rare comes first: a search then finds short ways to what it
    /// breaks.
    var events: [ModelEvent] {
        var events = controllerEvents + linkEvents + deviceEvents
        if !events.contains(where: \.isImmediate), nextInstant(isIdle: events.isEmpty) != nil {
            events.append(.tick)
        }
        return faults + repetitions + events
    }

    /// What may happen again or late, or never.
    private var repetitions: [ModelEvent] {
        let received = device.said.indices.filter { device.record(of: $0) != nil }
        let commands = received.filter { device.said[$0].count < Self.wordLimit }
            .map { ModelEvent.repeatCommand($0) }
        guard hearsDevice else { return commands }
        return commands + received.flatMap(device.words).map { .deliverAck($0) }
    }

    /// The clock goes to the fixed moments at any time, and beyond the last one to what is due
    /// where nothing else happens.
    private func nextInstant(isIdle: Bool) -> Duration? {
        if let next = scenario.instants.first(where: { $0 > elapsed }) { return next }
        guard isIdle else { return nil }
        return wakes.filter { $0 > elapsed }.min()
    }

    private var wakes: [Duration] {
        controller?.followers.compactMap { $0?.isAdopted == true ? $0?.lifecycle.nextWake : nil }
            ?? []
    }

    private var controllerEvents: [ModelEvent] {
        guard let controller else { return [.restart] }
        var events: [ModelEvent] = []
        if let next = scenario.intents.indices.first(where: { ledger[$0] == nil }) {
            events.append(.submit(next))
        }
        if let next = nextToAdopt { events.append(.adopt(next)) }
        for (command, follower) in controller.followers.enumerated() {
            guard let follower else { continue }
            if controller.unnoticed[command] { events.append(.noticeWithdrawal(command)) }
            if follower.isAdopted, let due = follower.lifecycle.nextWake, due <= elapsed {
                events.append(.wake(command))
            }
        }
        return events
    }

    private var nextToAdopt: Int? {
        controller?.followers.firstIndex { $0?.isAdopted == false }
    }

    private var linkEvents: [ModelEvent] {
        var events: [ModelEvent] = []
        let handovers = controller?.handovers ?? []
        for handover in handovers where handover.hasLeft || !isLinkUp {
            events.append(isLinkUp ? .confirm(handover.lane) : .giveUp(handover.lane))
        }
        if isLinkUp, wire.count < Self.room, let first = handovers.first(where: { !$0.hasLeft }) {
            events.append(.leave(first.lane))
        }
        if !isLinkUp { events.append(.linkUp) }
        if !wire.isEmpty { events.append(.deliver) }
        for (command, question) in (controller?.questions ?? []).enumerated() {
            switch question {
            case .none: continue
            case .asked: events.append(isLinkUp ? .answer(command) : .loseAnswer(command))
            case .answered:
                events.append(isLinkUp ? .deliverAnswer(command) : .loseAnswer(command))
            }
        }
        return events
    }

    private var hearsDevice: Bool { controller != nil && isLinkUp }

    private var deviceEvents: [ModelEvent] {
        var events: [ModelEvent] = []
        if device.running != nil { events.append(.finish) }
        if isBootUnseen, hearsDevice { events.append(.announceBoot) }
        return events
    }

    private var faults: [ModelEvent] {
        var events: [ModelEvent] = device.boot == 1 ? [.restartDevice] : []
        if let running = device.running, device.record(of: running)?.stage == .accepted {
            events.append(.report)
        }
        if isLinkUp { events.append(.linkDown) }
        if !wire.isEmpty { events.append(.dropCommand) }
        return events + controllerFaults
    }

    private var controllerFaults: [ModelEvent] {
        guard let controller else { return [] }
        var events: [ModelEvent] = [.crash(bytesLeave: false)]
        for handover in controller.handovers where !handover.hasLeft {
            events += [.neverLeft(handover.lane), .noReceiver(handover.lane)]
            if handover == controller.handovers.first {
                events.append(.leaveUnconfirmed(handover.lane))
            }
        }
        if controller.handovers.contains(where: { !$0.hasLeft }), wire.count < Self.room {
            events.append(.crash(bytesLeave: true))
        }
        for command in scenario.intents.indices {
            if ledger[command]?.isWaiting == true { events.append(.cancel(command)) }
            if ledger[command]?.state == .unknown, isAtRest(command) {
                events.append(.resolve(command))
            }
            if controller.questions[command] != .none { events.append(.dropAnswer(command)) }
            if controller.questions[command] == .asked, isLinkUp {
                events.append(.answerLate(command))
            }
        }
        return events
    }

    private func isAtRest(_ command: Int) -> Bool {
        guard let follower = controller?.followers[command] else { return true }
        return follower.lifecycle.state == .unknown
            && controller?.questions[command] == Question.none
    }

    private typealias Question = ModelController.Question
}
