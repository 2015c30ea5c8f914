internal import MQTTClient

/// The user-defined name of a zigbee2mqtt device, which follows the base topic in its topics. It may be any
/// text, including slashes. Names are compared by their bytes, as brokers compare topics.
struct FriendlyName: Sendable {
    let text: String

    init(_ text: some StringProtocol) { self.text = String(text) }
}

extension FriendlyName: Hashable {
    static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension FriendlyName: CustomStringConvertible {
    var description: String { text }
}

extension FriendlyName {
    /// The state topic of the device, or one of its other topics, without the base.
    func topic(_ part: String? = nil) -> String { part.map { "\(text)/\($0)" } ?? text }

    /// Whether MQTT allows the topics of the name.
    var isPublishable: Bool { !text.isEmpty && (try? MQTTTopic(topic("set"))) != nil }
}
