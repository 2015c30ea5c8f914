import DeviceDomain
import DeviceMessages
import DeviceSimulation
import DeviceTopics
import KillPoints
import MQTTClient

// What happens on the devices' connections.
extension FleetShard {
    /// Closes in a row after which a device leaves its id to another client. By the standard rule the waits
    /// between them grow, so that it takes some minutes.
    private static let suspicionLimit = 10

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
            return abandon(
                index, .refused(device: "\(slots[index].key)", reason: error.message))
        }
        slots[index].connection = connection
        if let link = slots[index].link { connection.goOver(link) }
        connection.start()
    }

    /// How a device connects.
    /// - Throws: `MQTTError` where it cannot have a client id.
    func configuration(of index: Int) throws(MQTTError) -> MQTTConfiguration {
        try settings.configuration(
            of: slots[index], planned: plan[index], numbered: index, will: homes[index].will,
            epoch: standings[index].epoch)
    }

    private func happened(_ event: MQTTConnectionEvent, to index: Int) {
        switch event {
        case .connected(let info):
            broker.accepted(slots[index].wire.home, info.limits.maximumPacketSize)
            accepted(index)
        case .message(let message):
            KillPoint.deviceReceived.pass()
            heard(message, by: index)
        case .skipped: break
        case .disconnected(let error, let delay):
            guard standings[index].link != .absent else { return }
            lost(index, error, retries: delay != nil)
        case .closed: closed(index)
        }
    }

    /// Subscribes and announces the device in one go: the broker takes packets in their order, so
    /// the device hears everything that follows its announcement, one round trip earlier.
    private func accepted(_ index: Int) {
        guard life.isAlive else { return }
        if standings[index].epoch > 0 { record.tally.reconnects += 1 }
        life.phase = .running
        standings[index].epoch += 1
        standings[index].sessions += 1
        standings[index].link = .online
        standings[index].announced = []
        subscribe(index)
        deliver(.connected, to: index)
    }

    private func subscribe(_ index: Int) {
        let epoch = standings[index].epoch
        // The broker's plugin hands messages to devices that do not subscribe.
        guard slots[index].alink == nil else { return confirmed(.subscriptions, of: index, epoch) }
        slots[index].connection?.subscribe(slots[index].wire.subscriptions) { [weak self] result in
            self?.assumeIsolated { $0.subscribed(index, epoch, result) }
        }
    }

    private func subscribed(
        _ index: Int, _ epoch: Int, _ result: Result<[MQTTReasonCode], MQTTError>
    ) {
        // A failure is followed by the end of the connection.
        guard case .success(let codes) = result else { return }
        if let refusal = codes.first(where: \.isError) {
            deny(index, "subscribe", "\(refusal)")
        } else {
            confirmed(.subscriptions, of: index, epoch)
        }
    }

    private func heard(_ message: MQTTMessage, by index: Int) {
        guard life.isAlive else { return }
        let incoming = slots[index].read(message, at: settings.clock.now.wire)
        record.tally.received[incoming.topicKind, default: 0] += 1
        switch incoming.content {
        case .input(let input):
            if case .presence(let presence) = input {
                lookForAnotherClient(in: presence, of: index)
            }
            deliver(input, to: index)
        case .inputs(let inputs):
            for input in inputs where life.isAlive { deliver(input, to: index) }
        case .answered(let answer): slots[index].connection?.publish(answer)
        case .heard: break
        case .dropped(let reason): count(dropped: reason)
        }
    }

    /// A device that had announced itself before it lost its connection was the last to say who it
    /// is, unless another client of its id has spoken since, or the broker its will.
    private func lookForAnotherClient(in presence: PresenceMessage, of index: Int) {
        let device = homes[index]
        guard standings[index].sessions > 1, standings[index].isDescribed,
            presence.device == device.identity.device,
            presence.report.boot != device.boot
        else { return }
        reportAnotherClient(index)
    }

    private func lost(_ index: Int, _ error: MQTTError, retries: Bool) {
        let wasOnline = standings[index].link == .online
        standings[index].link = .offline
        standings[index].announced = []
        broker.failed(slots[index].wire.home, error)
        if wasOnline { deliver(.disconnected, to: index) }
        guard life.isAlive else { return }
        if case .starting = life.phase, let unfit = broker.unfitness(error.reasonCode) {
            return breakOff(unfit)
        }
        if isOusted(index, because: error, retries: retries) { return }
        switch error.code {
        case .likelyDuplicateClientID where !standings[index].isDescribed:
            endedAtDescription(index)
        case .likelyDuplicateClientID, .sessionTakenOver:
            handleTakeover(of: index, retries: retries)
        default:
            if retries { return reportOutage(error, wasOnline: wasOnline) }
            abandon(index, .refused(device: "\(slots[index].key)", reason: broker.explained(error)))
        }
    }

    /// The broker keeps ending the connection of a device, and has never confirmed its description, the
    /// largest packet that devices send. A broker of MQTT 3.1.1 cannot say that a packet is too large.
    private func endedAtDescription(_ index: Int) {
        guard standings.described > 0 else { return breakOff(tooSmallPackets(for: index)) }
        deny(index, "publish its description", "\(tooSmallPackets(for: index))")
    }

    /// The error of a broker that accepts smaller packets only than a device's description takes.
    func tooSmallPackets(for index: Int) -> FleetError {
        broker.tooSmallPackets(
            for: slots[index].key, homes[index].description.payload.count)
    }

    private func handleTakeover(of index: Int, retries: Bool) {
        let device = "\(slots[index].key)"
        let clientID = slots[index].wire.clientID
        standings[index].suspicions += 1
        reportAnotherClient(index)
        guard !retries || standings[index].suspicions >= Self.suspicionLimit else { return }
        abandon(index, .gaveUp(device: device, clientID: clientID))
    }

    private func reportAnotherClient(_ index: Int) {
        broker.outage.takenOver()
        report(
            broker.troubles.notice(
                "another client seems to use their id", of: index,
                .duplicateClient(
                    device: "\(slots[index].key)", clientID: slots[index].wire.clientID)))
    }

    /// Says once that the broker is gone, when the last connection is.
    private func reportOutage(_ error: MQTTError, wasOnline: Bool) {
        guard standings.online == 0 else { return }
        if wasOnline {
            broker.outage.allLost(error.message)
        } else {
            report(broker.outage.attemptFailed())
        }
    }

    /// Gives a device's connection up for good; the device goes on without.
    func abandon(_ index: Int, _ notice: FleetNotice) {
        standings[index].link = .abandoned
        slots[index].connection?.abort()
        slots[index].connection = nil
        report(broker.troubles.notice("they stay offline", of: index, notice))
        endIfAllAreAbandoned()
    }

    func deny(_ index: Int, _ what: String, _ reason: String) {
        count(dropped: "denied")
        let device = "\(slots[index].key)"
        report(
            broker.troubles.notice(
                "the broker does not allow them to \(what)", of: index,
                .denied(device: device, what: what, reason: reason)))
    }
}
