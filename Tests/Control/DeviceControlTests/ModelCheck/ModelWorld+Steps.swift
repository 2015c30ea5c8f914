import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages

extension ModelWorld {
    /// The world after an event.
    func after(_ event: ModelEvent) -> ModelWorld {
        var next = self
        next.happen(event)
        for lane in ModelLane.allCases { next.takeTurns(in: lane) }
        // What the device has received may come again without being on the wire.
        next.wire.removeAll { next.device.record(of: $0) != nil }
        next.checkRules(since: self)
        return next
    }

    /// Whether nothing that must happen changes anything any more.
    /// - Parameter events: everything that can happen.
    func isAtEnd(with events: [ModelEvent]) -> Bool {
        let key = ModelKey(self)
        return events.allSatisfy { $0.isOptional || ModelKey(after($0)) == key }
    }

    private mutating func happen(_ event: ModelEvent) {
        switch event {
        case .submit(let command): submit(command)
        case .wake(let command): if scenario.flaw != .missedDeadline { post(.wake, to: command) }
        case .noticeWithdrawal(let command): noticeWithdrawal(of: command)
        case .restart: restart()
        case .adopt(let command): adopt(command)
        case .leave(let lane):
            leave(lane)
            endHandover(in: lane, .receipt(.confirmed))
        case .leaveUnconfirmed(let lane): leave(lane)
        case .confirm(let lane): endHandover(in: lane, .receipt(.confirmed))
        case .giveUp(let lane): endHandover(in: lane, .mayHaveLeft("the link broke"))
        case .neverLeft(let lane): endHandover(in: lane, .neverLeft("no link"), hasLeft: false)
        case .noReceiver(let lane): endHandover(in: lane, .receipt(.noReceiver), hasLeft: false)
        case .linkUp: changeLink(to: true)
        case .linkDown: changeLink(to: false)
        case .deliver: receive(wire.removeFirst())
        case .dropCommand: wire.removeFirst()
        case .repeatCommand(let command): receive(command)
        case .deliverAck(let ack): deliver(ack)
        case .answer(let command):
            controller?.questions[command] = .answered(device.answer(about: command))
            deliverAnswer(about: command)
        case .answerLate(let command):
            controller?.questions[command] = .answered(device.answer(about: command))
        case .deliverAnswer(let command): deliverAnswer(about: command)
        case .loseAnswer(let command), .dropAnswer(let command):
            controller?.questions[command] = .none
            post(.answer(.none("no answer")), to: command)
        case .report: device.report()
        case .finish: device.finish(isLate: isExpired)
        case .restartDevice:
            device.restart()
            isBootUnseen = true
        case .announceBoot: announceBoot()
        case .tick: tick()
        case .crash(let bytesLeave): crash(bytesLeave: bytesLeave)
        case .cancel(let command): cancel(command)
        case .resolve(let command): resolve(command)
        }
    }

    // MARK: The controller

    private mutating func noticeWithdrawal(of command: Int) {
        controller?.unnoticed[command] = false
        guard let progress = ledger[command] else { return }
        post(.withdrawn(progress), to: command)
        controller?.followers[command]?.knownStep = progress.step
    }

    private mutating func restart() {
        controller = ModelController()
        for command in ledger.indices where ledger[command]?.state.isSettled == false {
            follow(command, isAdopted: false)
        }
    }

    private mutating func crash(bytesLeave: Bool) {
        for handover in controller?.handovers ?? [] {
            if !handover.hasLeft, bytesLeave { depart(handover.command) }
        }
        for command in departures.indices where departures[command] == .byThisProcess {
            departures[command] = .byDeadProcess
        }
        controller = nil
    }

    private mutating func cancel(_ command: Int) {
        guard let progress = ledger[command], progress.isWaiting else { return }
        withdraw(command, to: progress.cancelled(at: moment.wall))
    }

    private mutating func resolve(_ command: Int) {
        follow(command, isAdopted: true)
        post(.adopted(reach), to: command)
    }

    // MARK: The link

    private mutating func leave(_ lane: ModelLane) {
        guard let place = controller?.handovers.firstIndex(where: { $0.lane == lane }),
            let command = controller?.handovers[place].command
        else { return }
        controller?.handovers[place].hasLeft = true
        depart(command)
    }

    /// A command that follows itself on the wire is the same as one that comes again later.
    private mutating func depart(_ command: Int) {
        if wire.last != command { wire.append(command) }
    }

    private mutating func changeLink(to isUp: Bool) {
        isLinkUp = isUp
        for command in scenario.intents.indices { post(.reach(reach), to: command) }
    }

    private mutating func receive(_ command: Int) {
        device.receive(command, of: scenario, isLate: isExpired)
    }

    private mutating func deliver(_ ack: ModelAck) {
        // An open command that nobody follows is left to the process that adopts it.
        if ledger[ack.command]?.state.isSettled == true,
            controller?.followers[ack.command] == nil
        {
            follow(ack.command, isAdopted: true)
            post(.reach(reach), to: ack.command)
        }
        post(.evidence(ack.evidence(for: scenario.intents[ack.command])), to: ack.command)
    }

    private mutating func deliverAnswer(about command: Int) {
        guard case .answered(let ack) = controller?.questions[command] else { return }
        controller?.questions[command] = Question.none
        let outcome = ack.map { RecordedOutcome.known($0.evidence(for: scenario.intents[command])) }
        post(.answer(.told(outcome ?? .never)), to: command)
    }

    private typealias Question = ModelController.Question

    // MARK: The device and time

    private mutating func announceBoot() {
        isBootUnseen = false
        guard let boot = BootID(rawValue: "b\(device.boot)") else { return }
        for command in scenario.intents.indices { post(.boot(boot), to: command) }
    }

    private mutating func tick() {
        let wakes = controller?.followers.compactMap { $0?.lifecycle.nextWake } ?? []
        let due = wakes.filter { $0 > elapsed }.min()
        elapsed = scenario.instants.first { $0 > elapsed } ?? due ?? elapsed
    }
}
