internal import Alink
internal import Connectivity
internal import DeviceDomain
internal import Logging
internal import MQTTClient
internal import MQTTLink

extension AlinkChannel {
    /// Routes a message by its topic. What was stored by a broker, other than a status, says nothing of now.
    func received(_ message: MQTTMessage) {
        guard let topic = AlinkTopic(message.topic.rawValue) else { return }
        let isStatus = topic.content == .status
        guard isStatus || !message.retain else { return }
        if case .reply(let asked) = topic.content {
            return replied(asked, topic.name.deviceID, message.payload)
        }
        let heard = model.receive(topic, message.payload)
        if let answer = heard.answer {
            send(answer, on: AlinkTopic(topic.name, .answer(topic.content)))
        }
        guard !heard.updates.isEmpty || heard.isFirst else { return }
        // Before the updates: who learns of a device may prepare a command for it at once.
        note(topic.name.deviceID)
        for update in heard.updates { listeners.deliver(update) }
        if heard.isFirst, model.presence(of: topic.name.deviceID) == nil {
            listeners.tell(model.standIn(for: topic.name.deviceID))
        }
        // After the state, so that evidence follows the state that proves it.
        for evidence in calls.posted(heard.values, by: topic.name.deviceID) {
            listeners.deliver(evidence)
        }
    }

    /// Tells the observers that a message was too large and was dropped unread.
    func skipped(_ message: MQTTSkippedMessage) {
        model.counters.oversizedMessages += 1
        guard let topic = AlinkTopic(message.topic.rawValue) else { return }
        for update in model.unreadable(topic.name.deviceID, message.reason) {
            listeners.deliver(update)
        }
    }

    private func replied(_ asked: AlinkTopic.Content, _ device: DeviceID, _ payload: [UInt8]) {
        do {
            let reply = try AlinkReply(payload: payload)
            guard let evidence = calls.replied(reply, to: asked, by: device) else {
                model.counters.strayReplies += 1
                return
            }
            listeners.deliver(evidence)
        } catch {
            model.counters.malformedPayloads += 1
            logger.debug("cannot read a reply", metadata: ["reason": "\(error)"])
        }
    }

    private func send(_ answer: AlinkReply, on topic: AlinkTopic) {
        guard case .answer(let asked) = topic.content, let wire = try? MQTTTopic(topic.text) else {
            return
        }
        link.publishWithoutWaiting(
            MQTTMessage(topic: wire, payload: answer.payload(to: asked.method)))
    }

    /// Lets commands for a device be prepared, or for one that has gone no more.
    func note(_ device: DeviceID) {
        if let known = model.devices[device] {
            directory.add(device, known.product)
        } else {
            directory.remove(device)
        }
    }
}
