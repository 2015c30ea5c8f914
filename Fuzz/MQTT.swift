import MQTTClient

/// Feeds bytes to what `MQTTClient` reads; the first byte chooses, the rest is what came from outside.
///
/// What must hold: nothing crashes, what is accepted has the form that MQTT asks for, and what a broker
/// sends arrives as it was sent. Malformed packets are of version 3.1.1 only: on version 5 the wrapped
/// library is known not to stand them (docs/mqtt-traps.md, finding 5).
func fuzzMQTT(_ input: [UInt8]) {
    guard let choice = input.first else { return }
    let bytes = Array(input.dropFirst())
    switch choice % 4 {
    case 0: fuzzFilter(bytes)
    case 1: fuzzAddress(bytes)
    case 2: fuzzPackets(bytes)
    default: fuzzProperties(bytes)
    }
}

// MARK: Strings

/// A filter and a topic, divided by a line feed, which neither can contain.
private func fuzzFilter(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    let filter = try? MQTTTopicFilter(parts[0])
    if let filter {
        precondition(hasMQTTForm(filter.rawValue), "a filter that no packet can carry")
    }
    guard parts.count > 1, let topic = try? MQTTTopic(parts[1]) else { return }
    precondition(hasMQTTForm(topic.rawValue), "a topic that no packet can carry")
    precondition(!topic.rawValue.contains { $0 == "+" || $0 == "#" })
    precondition(MQTTTopicFilter(topic).matches(topic), "a topic does not match itself")
    guard let filter else { return }
    precondition(
        filter.matches(topic) == matches(filter.rawValue, topic.rawValue),
        "the matcher and the specification differ")
}

/// Level by level, as MQTT 5, section 4.7, tells it.
private func matches(_ filter: String, _ topic: String) -> Bool {
    var levels = filter.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if filter.hasPrefix("$share/") { levels.removeFirst(2) }
    let names = topic.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let first = levels.first.map(Array.init) ?? []
    if topic.utf8.first == UInt8(ascii: "$"), first == Array("+".utf8) || first == Array("#".utf8) {
        return false
    }
    for (index, level) in levels.enumerated() {
        if level.elementsEqual("#".utf8) { return true }
        guard index < names.count else { return false }
        if !level.elementsEqual("+".utf8), !level.elementsEqual(names[index]) { return false }
    }
    return levels.count == names.count
}

private func hasMQTTForm(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 65_535 && !text.utf8.contains(0)
}

private func fuzzAddress(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let id = try? MQTTClientID(text) {
        precondition(hasMQTTForm(id.rawValue), "a client id that no packet can carry")
    }
    if let credentials = try? MQTTCredentials(username: text, password: text) {
        precondition(hasMQTTForm(credentials.username), "a user name that no packet can carry")
    }
    guard let address = try? MQTTBrokerAddress(url: text) else { return }
    precondition(address.port > 0, "port 0")
    precondition(
        (try? MQTTBrokerAddress(url: address.description)) == address,
        "an address does not survive its own text")
}

// MARK: Packets

/// Whatever a broker sends behind CONNACK.
private func fuzzPackets(_ bytes: [UInt8]) {
    let messages = FuzzBroker.current.messages(from: bytes, version: .v3_1_1)
    for message in messages {
        precondition(hasMQTTForm(message.topic.rawValue), "a message without a topic")
        precondition(message.payload.count <= bytes.count, "a payload out of nowhere")
        precondition(message.properties == .none, "properties on version 3.1.1")
    }
}

/// A well-formed message of version 5 whose properties are made from the bytes.
private func fuzzProperties(_ bytes: [UInt8]) {
    var reader = FuzzReader(bytes)
    let message = FuzzPublish(&reader)
    let messages = FuzzBroker.current.messages(from: message.packet, version: .v5)
    precondition(messages.count == 1, "a well-formed message did not arrive")
    precondition(messages[0].properties == message.properties, "properties changed on the way")
    precondition(messages[0].payload == message.payload, "a payload changed on the way")
}
