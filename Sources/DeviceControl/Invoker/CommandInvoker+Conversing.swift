internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandInvoker {
    /// The conversation with a device over a channel; a new one is begun, and one that has ended is
    /// begun again.
    func converse(
        with device: any Device, by choice: ChannelChoice, awaitsPresence: Bool = false
    ) -> ConversationID {
        let channel = choice.channel
        let id = ConversationID(
            home: device.profile.home, device: device.id, channel: channel.id)
        guard conversations[id]?.isOver != false else { return id }
        let communicator = DeviceCommunicator(device: device, choice: choice)
        if conversations[id] == nil {
            conversations[id] = DeviceConversation(communicator, awaitsPresence: awaitsPresence)
        } else {
            conversations[id]?.restart(communicator)
        }
        if links[channel.id] == nil {
            links[channel.id] = .works
            enqueue(.watchLink(channel))
        }
        enqueue(.converse(id))
        return id
    }

    /// Waits for the end of the first attempt to listen, unless the device is known to be away.
    func firstAttempt(in id: ConversationID) async {
        guard case .running = operation, conversations[id]?.isStarting == true,
            reach(in: id) != .offline
        else { return }
        await withCheckedContinuation { conversations[id]?.await($0) ?? $0.resume() }
    }

    /// Whether commands can reach a device now.
    func reach(in id: ConversationID) -> Reach {
        conversations[id]?.reach(over: links[id.channel] ?? .works) ?? .linkDown("")
    }

    /// Listens to a device until the channel closes, the invoker stops, or listening is useless.
    func converse(in id: ConversationID) async {
        guard let communicator = communicator(in: id) else { return }
        // Before the attempt, so that nothing is missed.
        let messages = communicator.messages
        if await listens(communicator, in: id) {
            for await message in messages { await receive(message, in: id) }
            enter(.ended, in: id)
            await tellReach(in: id)
        }
        await communicator.disconnect()
    }

    private func communicator(in id: ConversationID) -> DeviceCommunicator? {
        conversations[id]?.communicator
    }

    /// Tries to listen, again and again where that may help.
    /// - Returns: whether the device is listened to.
    private func listens(_ communicator: DeviceCommunicator, in id: ConversationID) async -> Bool {
        var pauses = ResendSchedule(seed: generator.next())
        while !Task.isCancelled {
            do throws(CommunicationError) {
                try await communicator.connect()
                enter(.listening, in: id)
                await tellReach(in: id)
                return true
            } catch {
                enter(error.isRetriable ? .failing(error) : .refused(error), in: id)
                await tellReach(in: id)
                guard error.isRetriable else { return false }
            }
            await clock.sleep(until: clock.now.elapsed + pauses.next())
        }
        enter(.ended, in: id)
        return false
    }

    /// Enters another phase and resumes the callers that wait for the end of the first attempt.
    func enter(_ phase: DeviceConversation.Phase, in id: ConversationID) {
        for starter in conversations[id]?.enter(phase) ?? [] { starter.resume() }
    }

    func watchLink(of channel: any CommunicationChannel) async {
        for await state in channel.linkStates() {
            let link = ChannelLink(state)
            guard links[channel.id]?.isSame(as: link) != true else { continue }
            links[channel.id] = link
            for id in conversations.keys where id.channel == channel.id {
                await tellReach(in: id)
            }
        }
    }

    /// Tells every open command of a device whether it can be sent, in the order of acceptance.
    func tellReach(in id: ConversationID) async {
        await post(openCommands(in: id).map { Post(.reach(reach(in: id)), to: $0) })
        await tellReachToStored(in: id)
    }

    func openCommands(in id: ConversationID) -> [CommandID] {
        commands.members(of: id)
            .filter { !$0.lifecycle.state.isFinal }
            .sorted { ($0.sequence ?? .max) < ($1.sequence ?? .max) }
            .map(\.lifecycle.intent.id)
    }

    // MARK: Sending

    /// Tells the outbox of a device what happens in a lane, and begins to send what has its turn.
    func tell(_ event: CommandQueue.Event, in lane: CommandLane, of id: ConversationID) {
        for action in conversations[id]?.outbox.handle(event, in: lane) ?? [] {
            switch action {
            case .turn(let command, let lane): enqueue(.send(id, lane, first: command))
            }
        }
        recallIfDue(in: id)
    }

    /// Tells the outbox where a command stands. What is ready has said so after it was recorded.
    func standInLine(_ command: CommandID) {
        guard let place = commands[command]?.lifecycle.place, place != .ready else { return }
        if place == .waiting { followWithdrawals() }
        stand(command, in: place)
    }

    func stand(_ command: CommandID, in place: QueuePlace) {
        guard let tracked = commands[command], let id = tracked.conversation,
            let sequence = tracked.sequence
        else { return }
        tell(
            .placed(command, sequence: sequence, place), in: tracked.lifecycle.intent.lane, of: id)
    }

    /// Sends what has its turn in a lane, one after the other: the order of commands is kept.
    func send(_ first: CommandID, in lane: CommandLane, of id: ConversationID) async {
        var turn: CommandID? = first
        while let command = turn, !Task.isCancelled {
            // Before the next turn: what comes back to the queue goes first again.
            if let result = await send(command, in: id) {
                await postSoon(.sendEnded(result), to: command)
                await untilQuiet(command)
            }
            turn = nextTurn(in: lane, of: id)
        }
    }

    /// Sends a command whose turn it is.
    /// - Returns: `nil` where it does not want to leave any more.
    private func send(_ command: CommandID, in id: ConversationID) async -> SendResult? {
        guard let attempt = takeTurn(command), let prepared = commands[command]?.prepared else {
            return nil
        }
        return await send(prepared, attempt, in: id)
    }

    /// Hands a command to the link, unless the device has changed while it waited.
    private func send(_ prepared: PreparedCommand, _ attempt: Int, in id: ConversationID) async
        -> SendResult
    {
        guard let conversation = conversations[id] else { return .neverLeft("") }
        if attempt == 1, let refusal = conversation.refusal(of: prepared.intent) {
            return .cannotLeave(refusal.code, "\(id.device) has changed: \(refusal)")
        }
        await takeSlot(of: id.channel)
        defer { sends[id.channel]?.giveBack() }
        guard !Task.isCancelled else { return .neverLeft("the invoker stops") }
        return await conversation.communicator.result(of: prepared, attempt)
    }

    /// Waits until the channel has room for another send.
    func takeSlot(of channel: ChannelID) async {
        guard !sends[channel, default: SendSlots()].takeFree() else { return }
        await withCheckedContinuation { sends[channel]?.lineUp($0) ?? $0.resume() }
    }

    /// Whether a command still wants to leave, now that it may; the number of the attempt then.
    private func takeTurn(_ command: CommandID) -> Int? {
        for action in commands[command]?.lifecycle.handle(.turn, at: clock.now) ?? [] {
            if case .publish(let attempt) = action { return attempt }
        }
        return nil
    }

    /// Ends the turn in a lane; the next one may be in the other lane, too.
    private func nextTurn(in lane: CommandLane, of id: ConversationID) -> CommandID? {
        var next: CommandID?
        for action in conversations[id]?.outbox.handle(.turnEnded, in: lane) ?? [] {
            switch action {
            case .turn(let command, lane): next = command
            case .turn(let command, let other): enqueue(.send(id, other, first: command))
            }
        }
        recallIfDue(in: id)
        return next
    }
}

extension DeviceCommunicator {
    fileprivate func result(of command: PreparedCommand, _ attempt: Int) async -> SendResult {
        do {
            return .receipt(try await send(command, attempt: attempt))
        } catch {
            return SendResult(error)
        }
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
