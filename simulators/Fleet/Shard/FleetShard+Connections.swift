import DeviceDomain
import DeviceMessages
import DeviceSimulation
import DeviceTopics
import KillPoints
import MQTTClient

// What happens on the devices' connections.
extension FleetShard {
    /// Begins to connect a device.
    func connect(_ index: Int) {
        let connection: MQTTConnection
        do throws(MQTTError) {
            connection = MQTTConnection(
                configuration: try configuration(of: index), eventLoop: eventLoop, owner: self
            ) { shard, event in
                shard.happened(event, to: index)
            }
        } catch {
            return abandon(index, because: error)
        }
        connections.open(connection, of: index)
    }

    /// How a device connects.
    /// - Throws: `MQTTError` where it cannot have a client id.
    func configuration(of index: Int) throws(MQTTError) -> MQTTConfiguration {
        try settings.configuration(
            of: connections.slots[index], planned: plan[index], numbered: index,
            will: homes[index].will, epoch: connections[index].epoch,
            speaking: connections.alink(of: index))
    }

    private func happened(_ event: MQTTConnectionEvent, to index: Int) {
        switch event {
        case .connected(let info): accepted(index, info.limits.maximumPacketSize)
        case .message(let message):
            KillPoint.deviceReceived.pass()
            heard(message, by: index)
        case .skipped: break
        case .disconnected(let error, let delay):
            guard connections[index].link != .absent else { return }
            lost(index, error, retries: delay != nil)
        case .closed: closed(index)
        }
    }

    /// Subscribes and announces the device in one go, a round trip earlier: the broker keeps the order of packets.
    private func accepted(_ index: Int, _ packetLimit: UInt32?) {
        guard life.isAlive else { return }
        if connections.accepted(index, packetLimit: packetLimit) { record.tally.reconnects += 1 }
        life.phase = .running
        subscribe(SubscriptionAttempt(index: index, epoch: connections[index].epoch))
        deliver(.connected, to: index)
    }

    private func subscribe(_ attempt: SubscriptionAttempt) {
        let slot = connections.slots[attempt.index]
        // The broker's plugin hands messages to devices that do not subscribe.
        guard !connections.speakAlink else {
            return confirmed(.subscriptions, of: attempt.index, attempt.epoch)
        }
        slot.connection?.subscribe(slot.wire.subscriptions) { [weak self] result in
            // A failure is followed by the end of the connection.
            guard case .success(let codes) = result else { return }
            self?.assumeIsolated { $0.subscribed(attempt, codes) }
        }
    }

    private func subscribed(_ attempt: SubscriptionAttempt, _ codes: [MQTTReasonCode]) {
        guard case .refused(let denial, let next) = attempt.verdict(codes) else {
            return confirmed(.subscriptions, of: attempt.index, attempt.epoch)
        }
        if let denial { deny(attempt.index, "subscribe", denial) }
        guard let next else { return }
        let pause = settings.pause(after: attempt.refusals, of: plan[attempt.index])
        eventLoop.schedule(after: pause) { [weak self] in
            self?.assumeIsolated { if $0.connections.isOpen(next) { $0.subscribe(next) } }
        }
    }

    private func heard(_ message: MQTTMessage, by index: Int) {
        guard life.isAlive else { return }
        let incoming = connections.read(message, for: index, at: settings.clock.now.wire)
        record.tally.received[incoming.topicKind, default: 0] += 1
        switch incoming.content {
        case .input(let input):
            if case .presence(let presence) = input {
                lookForAnotherClient(in: presence, of: index)
            }
            deliver(input, to: index)
        case .inputs(let inputs):
            for input in inputs where life.isAlive { deliver(input, to: index) }
        case .answered(let answer): connections.slots[index].connection?.publish(answer) { _ in }
        case .heard: break
        case .dropped(let reason): count(dropped: reason)
        }
    }

    private func lookForAnotherClient(in presence: PresenceMessage, of index: Int) {
        let device = homes[index]
        guard presence.device == device.identity.device, presence.report.boot != device.boot else {
            return
        }
        report(connections.heardForeignPresence(index))
    }

    private func lost(_ index: Int, _ error: MQTTError, retries: Bool) {
        let loss = connections.lost(index, error, retries: retries)
        if loss.wasOnline { deliver(.disconnected, to: index) }
        guard life.isAlive else { return }
        follow(
            connections.consequence(
                of: loss, for: index, whileStarting: life.isStarting,
                describedIn: homes[index].description.payload.count))
    }

    /// Gives a device's connection up for good; the device goes on without.
    func abandon(_ index: Int, because error: MQTTError) {
        follow(
            connections.abandon(
                index, .refused(device: "\(key(of: index))", reason: error.message),
                whileStarting: life.isStarting))
    }

    func deny(_ index: Int, _ what: String, _ reason: String) {
        follow(connections.denied(index, what, reason))
    }

    /// Does what follows from what happened on a connection.
    private func follow(_ consequence: ConnectionConsequence) {
        if consequence.isDenial { count(dropped: "denied") }
        for notice in consequence.notices { report(notice) }
        if let failure = consequence.failure { breakOff(failure) }
    }
}
