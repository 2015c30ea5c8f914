internal import MQTTClient

/// The name that people gave a device of zigbee2mqtt, and the part of its topics that follows the
/// base topic. It may be any text, slashes included. Two names are equal if their bytes are, as a
/// broker compares topics.
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
    /// The topic of what the device says, and of what belongs to it, without the base.
    func topic(_ part: String? = nil) -> String { part.map { "\(text)/\($0)" } ?? text }

    /// Whether MQTT allows the topics of the name.
    var isPublishable: Bool { !text.isEmpty && (try? MQTTTopic(topic("set"))) != nil }
}
