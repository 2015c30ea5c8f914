internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandInvoker {
    /// The talk with a device; a new one is begun, and the end of its first attempt awaited unless
    /// the device is known to be away.
    func conversation(with device: any Device, awaitsPresence: Bool = false)
        async throws(ControlError) -> DeviceAddress
    {
        let address = DeviceAddress(home: device.profile.home, device: device.id)
        if conversations[address] == nil {
            try begin(with: device, at: address, awaitsPresence: awaitsPresence)
        }
        if reach(of: address) == .linkDown { await firstAttempt(at: address) }
        return address
    }

    private func begin(with device: any Device, at address: DeviceAddress, awaitsPresence: Bool)
        throws(ControlError)
    {
        let communicator: DeviceCommunicator
        do {
            communicator = try factory.communicator(for: device)
        } catch {
            throw ControlError(.noChannel, error.description)
        }
        conversations[address] = Conversation(
            communicator: communicator, awaitsPresence: awaitsPresence)
        let channel = communicator.choice.channel
        if links[channel.kind] == nil {
            links[channel.kind] = true
            enqueue(.watchLink(channel))
        }
        enqueue(.converse(address))
    }

    private func firstAttempt(at address: DeviceAddress) async {
        guard !isStopped, conversations[address]?.phase == .starting else { return }
        await withCheckedContinuation { conversations[address]?.starters.append($0) }
    }

    /// Whether commands can reach a device now.
    func reach(of address: DeviceAddress) -> Reach {
        guard let conversation = conversations[address] else { return .linkDown }
        let kind = conversation.communicator.choice.channel.kind
        return conversation.reach(linkWorks: links[kind] ?? false)
    }

    /// Listens to a device until the channel closes or the invoker stops.
    func converse(with address: DeviceAddress) async {
        guard let communicator = conversations[address]?.communicator else { return }
        var waits = ResendSchedule(seed: generator.next())
        while !Task.isCancelled, await connect(communicator, at: address) == false {
            await clock.sleep(until: clock.now.elapsed + waits.next())
        }
        for await message in communicator.messages { await receive(message, from: address) }
        await enter(.ended, at: address)
        await communicator.disconnect()
    }

    /// - Returns: whether the device is listened to, or never will be.
    private func connect(_ communicator: DeviceCommunicator, at address: DeviceAddress) async
        -> Bool
    {
        do {
            try await communicator.connect()
            await enter(.listening, at: address)
            return true
        } catch {
            await enter(.failing, at: address)
            return !error.isRetriable
        }
    }

    private func enter(_ phase: Conversation.Phase, at address: DeviceAddress) async {
        conversations[address]?.phase = phase
        resumeStarters(at: address)
        await tellReach(to: address)
    }

    /// Ends the waiting for a first attempt that has ended or will never be made.
    func resumeStarters(at address: DeviceAddress) {
        let starters = conversations[address]?.starters ?? []
        conversations[address]?.starters = []
        for caller in starters { caller.resume() }
    }

    func watchLink(of channel: any CommunicationChannel) async {
        for await state in channel.linkStates() {
            guard links[channel.kind] != state.isConnected else { continue }
            links[channel.kind] = state.isConnected
            for address in conversations.keys { await tellReach(to: address) }
        }
    }

    /// Tells every open command of a device whether it can be sent, in the order of acceptance.
    func tellReach(to address: DeviceAddress) async {
        for id in openCommands(of: address) {
            await post(.reach(reach(of: address)), to: id)
        }
    }

    func openCommands(of address: DeviceAddress) -> [CommandID] {
        commands.values
            .filter { $0.lifecycle.intent.isFor(address) && !$0.lifecycle.state.isFinal }
            .sorted { ($0.record?.sequence ?? .max) < ($1.record?.sequence ?? .max) }
            .map(\.lifecycle.intent.id)
    }

    // MARK: Sending

    func publish(_ id: CommandID, attempt: Int) {
        guard let record = commands[id]?.record else { return }
        let intent = record.intent
        let address = DeviceAddress(home: intent.home, device: intent.device)
        let message = OutgoingCommand(
            id: id, controller: controller, payload: record.payload, lane: intent.lane,
            expiresAt: intent.expiresAt, attempt: attempt)
        conversations[address]?.outboxes[intent.lane, default: []].append(message)
        if conversations[address]?.sendingLanes.insert(intent.lane).inserted == true {
            enqueue(.send(address, intent.lane))
        }
    }

    /// Sends what waits in one lane, one after the other: the order of commands is kept.
    func sendOutbox(of lane: CommandLane, to address: DeviceAddress) async {
        while let message = takeMessage(of: lane, to: address) {
            guard let communicator = conversations[address]?.communicator else { return }
            let result = await communicator.result(of: message)
            await post(.sendEnded(result), to: message.id)
        }
        conversations[address]?.sendingLanes.remove(lane)
    }

    private func takeMessage(of lane: CommandLane, to address: DeviceAddress) -> OutgoingCommand? {
        guard conversations[address]?.outboxes[lane]?.isEmpty == false else { return nil }
        return conversations[address]?.outboxes[lane]?.removeFirst()
    }
}

extension DeviceCommunicator {
    fileprivate func result(of message: OutgoingCommand) async -> SendResult {
        do {
            return .receipt(try await send(.command(message)))
        } catch {
            return error.provesNothingLeft
                ? .notHandedOver(error.message) : .lostOnTheWay(error.message)
        }
    }
}

extension CommandIntent {
    func isFor(_ address: DeviceAddress) -> Bool {
        home == address.home && device == address.device
    }
}
