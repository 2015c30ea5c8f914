/// The MQTT 5 properties that the protocol uses; on MQTT 3.1.1 they are left out.
package struct WireProperties: Hashable, Sendable {
    /// The content type of the payload.
    package var contentType: String?
    /// Payload Format Indicator: whether the payload is UTF-8 text.
    package var isUTF8: Bool?
    /// The topic for the answer.
    package var responseTopic: String?
    /// The 16 raw bytes of the command's id.
    package var correlationData: [UInt8]?
    /// After how many seconds the broker drops the message.
    package var messageExpirySeconds: UInt32?
    /// User properties in order; names may repeat.
    package var userProperties: [UserProperty]

    package init(
        contentType: String? = nil, isUTF8: Bool? = nil, responseTopic: String? = nil,
        correlationData: [UInt8]? = nil, messageExpirySeconds: UInt32? = nil,
        userProperties: [UserProperty] = []
    ) {
        self.contentType = contentType
        self.isUTF8 = isUTF8
        self.responseTopic = responseTopic
        self.correlationData = correlationData
        self.messageExpirySeconds = messageExpirySeconds
        self.userProperties = userProperties
    }

    /// No properties.
    package static let none = WireProperties()
    /// The common properties of commands and acks.
    static let json = WireProperties(contentType: "application/json", isUTF8: true)
}

/// A User Property of MQTT 5.
package struct UserProperty: Hashable, Sendable {
    /// Its name.
    package let name: String
    /// Its value.
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
