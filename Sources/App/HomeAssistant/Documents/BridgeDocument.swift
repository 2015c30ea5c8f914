import Homeport

/// A retained message of the bridge.
struct BridgeDocument: Hashable, Sendable {
    /// Where it is published.
    let topic: String
    /// Its content; empty to remove what is there.
    let payload: [UInt8]

    init(_ topic: String, _ text: String) {
        self.topic = topic
        payload = Array(text.utf8)
    }

    init(_ topic: String, _ members: JSONObject) {
        self.topic = topic
        payload = JSONWriter.write(.object(members))
    }

    /// Removes what is retained on a topic.
    static func cleared(_ topic: String) -> BridgeDocument { BridgeDocument(topic, "") }
}
