internal import Connectivity
internal import DeviceDomain
internal import Logging
internal import MQTTClient
internal import MQTTLink

extension ZigbeeChannel {
    /// Routes a message by its topic.
    func received(_ message: MQTTMessage) {
        guard let suffix = configuration.base.suffix(of: message.topic.rawValue) else { return }
        let topic = BridgeTopic(suffix)
        switch topic {
        case .foreign: break
        case .logging: logged(message)
        case .response:
            if let response = BridgeResponse(message.payload) {
                run(outstanding.received(response))
            }
        case .state, .info, .devices, .event, .entity: reported(topic, message)
        }
    }

    /// Tells the observers that a message was too large and was dropped unread.
    func skipped(_ message: MQTTSkippedMessage) {
        guard let suffix = configuration.base.suffix(of: message.topic.rawValue) else { return }
        for update in model.skipped(BridgeTopic(suffix), reason: message.reason) {
            listeners.deliver(update)
        }
    }

    private func logged(_ message: MQTTMessage) {
        guard outstanding.count > 0, let logError = BridgeLogError(message.payload) else {
            return
        }
        if let actions = outstanding.received(logError) {
            run(actions)
        } else {
            model.counters.ambiguousErrors += 1
        }
    }

    private func reported(_ topic: BridgeTopic, _ message: MQTTMessage) {
        let updates = model.receive(topic, message.payload, isReplay: message.retain)
        for remark in model.remarks {
            logger.debug(
                "left out of the bridge's list", metadata: [BridgeLogKey.reason: "\(remark)"])
        }
        // Before the updates: who learns of a device may prepare a command for it at once.
        if topic == .devices { directory.update(model.devices.mapValues(\.listing)) }
        for update in updates { listeners.deliver(update) }
        // After the state, so that evidence follows the state that proves it.
        if let state = model.reported { run(outstanding.received(state.members, of: state.device)) }
    }
}

/// Keys of log metadata.
enum BridgeLogKey {
    /// Why something was left out.
    static let reason = "reason"
}
