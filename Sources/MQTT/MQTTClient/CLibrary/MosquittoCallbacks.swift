internal import CMosquitto
private import Glibc

extension MosquittoInbox {
    /// Registers the callbacks. They only copy and append, and call no function of the library that locks.
    func attach(to client: OpaquePointer) {
        mosquitto_connect_v5_callback_set(client, didConnect)
        mosquitto_disconnect_v5_callback_set(client, didDisconnect)
        mosquitto_publish_v5_callback_set(client, didPublish)
        mosquitto_subscribe_v5_callback_set(client, didSubscribe)
        mosquitto_unsubscribe_v5_callback_set(client, didUnsubscribe)
        mosquitto_message_v5_callback_set(client, didReceive)
    }

    /// Also collects the errors that the library logs, until ``stopLogging(from:)``. Not always enabled, because
    /// the library then formats a line for every packet.
    func startLogging(from client: OpaquePointer) {
        mosquitto_log_callback_set(client, didLog)
    }

    /// Stops collecting log lines.
    func stopLogging(from client: OpaquePointer) {
        mosquitto_log_callback_set(client, nil)
    }

    /// The user data of every callback. The handle keeps the inbox alive.
    var userData: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

/// Appends an event to the inbox that a callback's user data points to.
@inline(__always)
private func append(
    _ event: @autoclosure () -> MosquittoEvent, to context: UnsafeMutableRawPointer?
) {
    guard let context else { return }
    Unmanaged<MosquittoInbox>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.events.append(event())
    }
}

private func didLog(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, level: Int32,
    text: UnsafePointer<CChar>?
) {
    guard level == MOSQ_LOG_ERR, let context, let text else { return }
    Unmanaged<MosquittoInbox>.fromOpaque(context)._withUnsafeGuaranteedRef {
        if $0.logged == nil { $0.logged = String(cString: text) }
    }
}

private func didConnect(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, code: Int32, flags: Int32,
    properties: OpaquePointer?
) {
    append(
        .connectAcknowledged(
            code: code, sessionPresent: flags & 1 == 1,
            limits: MQTTBrokerLimits(copying: properties)
        ), to: context)
}

private func didDisconnect(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, code: Int32, _: OpaquePointer?
) {
    append(.disconnected(code: code), to: context)
}

private func didPublish(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, packet: Int32, code: Int32,
    properties: OpaquePointer?
) {
    let packet = UInt16(truncatingIfNeeded: packet)
    let reason = MQTTReasonCode(rawValue: UInt8(truncatingIfNeeded: code))
    guard properties != nil else {
        return append(.published(packet: packet, reason: reason), to: context)
    }
    append(
        .acknowledged(
            packet: packet, answer: MQTTAcknowledgement([reason], copying: properties)),
        to: context)
}

private func didSubscribe(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, packet: Int32, count: Int32,
    codes: UnsafePointer<Int32>?, properties: OpaquePointer?
) {
    let reasons = UnsafeBufferPointer(start: codes, count: codes == nil ? 0 : Int(count)).map {
        MQTTReasonCode(rawValue: UInt8(truncatingIfNeeded: $0))
    }
    append(
        .subscribed(
            packet: UInt16(truncatingIfNeeded: packet),
            answer: MQTTAcknowledgement(reasons, copying: properties)), to: context)
}

private func didUnsubscribe(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, packet: Int32,
    properties: OpaquePointer?
) {
    append(
        .unsubscribed(
            packet: UInt16(truncatingIfNeeded: packet),
            answer: MQTTAcknowledgement([], copying: properties)), to: context)
}

private func didReceive(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?,
    message: UnsafePointer<mosquitto_message>?, properties: OpaquePointer?
) {
    guard let message = message?.pointee, let name = message.topic else { return }
    guard strpbrk(name, "+#") == nil else { return append(.unusableTopic, to: context) }
    append(
        .message(
            MQTTMessage(
                topic: MQTTTopic(unchecked: String(cString: name)), payload: message.bytes,
                qos: MQTTQoS(rawValue: UInt8(truncatingIfNeeded: message.qos)) ?? .atMostOnce,
                retain: message.retain,
                properties: properties == nil ? .none : MQTTProperties(copying: properties))),
        to: context)
}

extension mosquitto_message {
    fileprivate var bytes: [UInt8] {
        Array(UnsafeRawBufferPointer(start: payload, count: payload == nil ? 0 : Int(payloadlen)))
    }
}
