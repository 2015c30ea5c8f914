internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension DeviceLane {
    /// Sends what has its turn in a lane, one after the other: the order of commands is kept.
    func send(_ first: CommandID, in lane: CommandLane) async {
        var turn: CommandID? = first
        while let id = turn, !Task.isCancelled {
            // Before the next turn: what comes back to the queue goes first again.
            if let command = followed[id], let result = await send(command) {
                await followed.enqueue(.sendEnded(result), to: id)
                await followed.waitUntilIdle(command)
            }
            turn = nextTurn(in: lane)
        }
    }

    /// Sends a command whose turn it is.
    /// - Returns: `nil` where it does not want to leave any more.
    private func send(_ command: TrackedCommand) async -> SendResult? {
        guard let attempt = command.lifecycle.takeTurn(at: followed.clock.now),
            let prepared = command.prepared
        else {
            // It has expired, and ends when it is woken. In line it would get the next turn, too.
            if command.lifecycle.place == .ready { setQueuePlace(.none, of: command) }
            return nil
        }
        // The device may have changed while it waited.
        if attempt == 1, let refusal = conversation.refusal(of: prepared.intent) {
            return .cannotLeave(refusal.code, "\(id.device) has changed: \(refusal)")
        }
        await traffic.sends.take()
        defer { traffic.sends.giveBack() }
        guard !Task.isCancelled else { return .neverLeft("the invoker stops") }
        guard followed.writer.ledger.letsCommandsLeave else {
            return .neverLeft("whether this process still owns the home is not certain")
        }
        do throws(CommunicationError) {
            return .receipt(try await conversation.service.sendMessage(prepared, attempt: attempt))
        } catch {
            return SendResult(error)
        }
    }

    /// Ends the turn in a lane; the next one may be in the other lane, too.
    private func nextTurn(in lane: CommandLane) -> CommandID? {
        var next: CommandID?
        for action in queue.handle(.turnEnded, in: lane) {
            if case .turn(let command, lane) = action { next = command } else { begin(action) }
        }
        recallIfDue()
        return next
    }
}

extension CommandRefusal {
    /// What the device would answer.
    var code: AckCode {
        switch self {
        case .unknownCommand, .takesNoCommands, .undescribed: .unknownCommand
        case .badArguments: .badArguments
        }
    }
}

extension SendResult {
    /// What a failure proves.
    init(_ error: CommunicationError) {
        switch error.certainty {
        case .mayHaveLeft: self = .mayHaveLeft(error.message)
        case .neverLeft:
            if let code = error.refusal {
                self = .cannotLeave(code, error.message)
            } else {
                self = .neverLeft(error.message)
            }
        }
    }
}
