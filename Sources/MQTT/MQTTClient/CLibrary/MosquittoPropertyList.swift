internal import CMosquitto
private import Glibc

/// A property list of the C library, built from Swift values and freed with its owner.
struct MosquittoPropertyList: ~Copyable {
    private(set) var head: OpaquePointer?

    init() {}

    /// The properties of a message to publish. Empty strings are left out: the library crashes on them.
    init(_ properties: MQTTProperties, topicAlias: UInt16? = nil) {
        if let topicAlias {
            mosquitto_property_add_int16(
                &head, Int32(MQTT_PROP_TOPIC_ALIAS.rawValue), topicAlias)
        }
        guard !properties.isEmpty else { return }
        if let isUTF8 = properties.isUTF8 { add(MQTT_PROP_PAYLOAD_FORMAT_INDICATOR, byte: isUTF8) }
        if let seconds = properties.messageExpirySeconds {
            add(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, number: seconds)
        }
        add(MQTT_PROP_CONTENT_TYPE, text: properties.contentType)
        add(MQTT_PROP_RESPONSE_TOPIC, text: properties.responseTopic?.rawValue)
        if let data = properties.correlationData { add(MQTT_PROP_CORRELATION_DATA, data: data) }
        for property in properties.userProperties { add(property) }
    }

    /// The properties of a will.
    init(will: MQTTWill) {
        self.init(will.message.properties)
        let seconds = will.delay.wholeSeconds
        if seconds > 0 { add(MQTT_PROP_WILL_DELAY_INTERVAL, number: seconds) }
    }

    /// The properties of CONNECT; Receive Maximum is an option of the handle.
    init(connect configuration: MQTTConfiguration) {
        if let expiry = configuration.sessionExpiry {
            add(MQTT_PROP_SESSION_EXPIRY_INTERVAL, number: expiry.wholeSeconds)
        }
        if configuration.maximumPacketSize > 0 {
            add(MQTT_PROP_MAXIMUM_PACKET_SIZE, number: configuration.maximumPacketSize)
        }
        let properties = configuration.connectProperties
        if properties.requestsResponseInformation {
            add(MQTT_PROP_REQUEST_RESPONSE_INFORMATION, byte: true)
        }
        if !properties.allowsProblemInformation {
            add(MQTT_PROP_REQUEST_PROBLEM_INFORMATION, byte: false)
        }
        if let authentication = properties.authentication {
            add(MQTT_PROP_AUTHENTICATION_METHOD, text: authentication.method)
            if let data = authentication.data { add(MQTT_PROP_AUTHENTICATION_DATA, data: data) }
        }
        for property in properties.userProperties { add(property) }
    }

    /// The properties of SUBSCRIBE and UNSUBSCRIBE.
    init(identifier: UInt32? = nil, userProperties: [MQTTProperties.UserProperty]) {
        if let identifier {
            mosquitto_property_add_varint(
                &head, Int32(MQTT_PROP_SUBSCRIPTION_IDENTIFIER.rawValue), identifier)
        }
        for property in userProperties { add(property) }
    }

    /// The properties of DISCONNECT; a session can be kept longer only if there is one.
    init(disconnect properties: MQTTDisconnectProperties, hasSession: Bool) {
        if let expiry = properties.sessionExpiry, hasSession {
            add(MQTT_PROP_SESSION_EXPIRY_INTERVAL, number: expiry.wholeSeconds)
        }
        add(MQTT_PROP_REASON_STRING, text: properties.reasonString)
        for property in properties.userProperties { add(property) }
    }

    deinit {
        var list = head
        if list != nil { mosquitto_property_free_all(&list) }
    }

    /// Transfers ownership of the list to a function.
    consuming func release() -> OpaquePointer? {
        let list = head
        head = nil
        return list
    }

    private mutating func add(_ identifier: mqtt5_property, byte: Bool) {
        mosquitto_property_add_byte(&head, Int32(identifier.rawValue), byte ? 1 : 0)
    }

    private mutating func add(_ identifier: mqtt5_property, number: UInt32) {
        mosquitto_property_add_int32(&head, Int32(identifier.rawValue), number)
    }

    private mutating func add(_ identifier: mqtt5_property, text: String?) {
        guard let text, !text.isEmpty else { return }
        mosquitto_property_add_string(&head, Int32(identifier.rawValue), text)
    }

    private mutating func add(_ identifier: mqtt5_property, data: [UInt8]) {
        mosquitto_property_add_binary(
            &head, Int32(identifier.rawValue), data, UInt16(clamping: data.count))
    }

    private mutating func add(_ property: MQTTProperties.UserProperty) {
        mosquitto_property_add_string_pair(
            &head, Int32(MQTT_PROP_USER_PROPERTY.rawValue), property.name, property.value)
    }
}

/// The properties of a list in a callback; nil at its end.
private func properties(of list: OpaquePointer?) -> some Sequence<OpaquePointer> {
    sequence(state: list) { item in
        defer { item = item.flatMap { mosquitto_property_next($0) } }
        return item
    }
}

extension MQTTProperties {
    /// Copies the properties of a callback.
    init(copying list: OpaquePointer?) {
        var values: Values?
        var subscriptionIdentifier: UInt32 = 0
        for property in properties(of: list) {
            let identifier = mosquitto_property_identifier(property)
            if identifier == MQTT_PROP_SUBSCRIPTION_IDENTIFIER.rawValue {
                subscriptionIdentifier = property.variableNumber(identifier) ?? 0
            } else {
                values = values ?? Values()
                values?.read(property, identifier)
            }
        }
        self.init(values, subscriptionIdentifier: subscriptionIdentifier)
    }
}

extension MQTTProperties.Values {
    fileprivate mutating func read(_ property: OpaquePointer, _ identifier: Int32) {
        switch mqtt5_property(rawValue: UInt32(identifier)) {
        case MQTT_PROP_PAYLOAD_FORMAT_INDICATOR:
            isUTF8 = property.byte(identifier).map { $0 == 1 }
        case MQTT_PROP_MESSAGE_EXPIRY_INTERVAL: messageExpirySeconds = property.number(identifier)
        case MQTT_PROP_CONTENT_TYPE: contentType = property.text(identifier)
        case MQTT_PROP_RESPONSE_TOPIC:
            responseTopic = property.text(identifier).flatMap { text in
                !text.isEmpty && MQTTTopic.hasNoWildcard(text) ? MQTTTopic(unchecked: text) : nil
            }
        case MQTT_PROP_CORRELATION_DATA: correlationData = property.data(identifier)
        case MQTT_PROP_USER_PROPERTY:
            if let pair = property.pair(identifier) { userProperties.append(pair) }
        default: break
        }
    }
}

extension MQTTAcknowledgement {
    /// Copies the properties of a callback.
    init(_ reasonCodes: [MQTTReasonCode], copying list: OpaquePointer?) {
        self.init(reasonCodes: reasonCodes)
        for property in properties(of: list) {
            let identifier = mosquitto_property_identifier(property)
            switch mqtt5_property(rawValue: UInt32(identifier)) {
            case MQTT_PROP_REASON_STRING: reasonString = property.text(identifier)
            case MQTT_PROP_USER_PROPERTY:
                if let pair = property.pair(identifier) { userProperties.append(pair) }
            default: break
            }
        }
    }
}

extension MQTTBrokerLimits {
    /// Copies the properties of a CONNACK.
    init(copying list: OpaquePointer?) {
        self.init()
        for property in properties(of: list) { read(property) }
    }

    private mutating func read(_ property: OpaquePointer) {
        let identifier = mosquitto_property_identifier(property)
        switch mqtt5_property(rawValue: UInt32(identifier)) {
        case MQTT_PROP_RECEIVE_MAXIMUM:
            receiveMaximum = property.short(identifier) ?? receiveMaximum
        case MQTT_PROP_MAXIMUM_PACKET_SIZE: maximumPacketSize = property.number(identifier)
        case MQTT_PROP_MAXIMUM_QOS:
            maximumQoS = property.byte(identifier).flatMap(MQTTQoS.init) ?? maximumQoS
        case MQTT_PROP_RETAIN_AVAILABLE: retainAvailable = property.flag(identifier)
        case MQTT_PROP_WILDCARD_SUB_AVAILABLE:
            wildcardSubscriptionsAvailable = property.flag(identifier)
        case MQTT_PROP_SHARED_SUB_AVAILABLE:
            sharedSubscriptionsAvailable = property.flag(identifier)
        case MQTT_PROP_SUBSCRIPTION_ID_AVAILABLE:
            subscriptionIdentifiersAvailable = property.flag(identifier)
        case MQTT_PROP_TOPIC_ALIAS_MAXIMUM: topicAliasMaximum = property.short(identifier) ?? 0
        case MQTT_PROP_SERVER_KEEP_ALIVE:
            serverKeepAlive = property.short(identifier).map { .seconds(Int64($0)) }
        case MQTT_PROP_SESSION_EXPIRY_INTERVAL:
            sessionExpiry = property.number(identifier).map { .seconds(Int64($0)) }
        default: readText(property, identifier)
        }
    }

    private mutating func readText(_ property: OpaquePointer, _ identifier: Int32) {
        switch mqtt5_property(rawValue: UInt32(identifier)) {
        case MQTT_PROP_ASSIGNED_CLIENT_IDENTIFIER: assignedClientID = property.text(identifier)
        case MQTT_PROP_RESPONSE_INFORMATION: responseInformation = property.text(identifier)
        case MQTT_PROP_REASON_STRING: reasonString = property.text(identifier)
        case MQTT_PROP_SERVER_REFERENCE: serverReference = property.text(identifier)
        case MQTT_PROP_AUTHENTICATION_METHOD: authenticationMethod = property.text(identifier)
        case MQTT_PROP_AUTHENTICATION_DATA: authenticationData = property.data(identifier)
        case MQTT_PROP_USER_PROPERTY:
            if let pair = property.pair(identifier) { userProperties.append(pair) }
        default: break
        }
    }
}

/// Reads single properties; each call finds the first one with its identifier, from the receiver on.
extension OpaquePointer {
    fileprivate func byte(_ identifier: Int32) -> UInt8? {
        var value: UInt8 = 0
        return mosquitto_property_read_byte(self, identifier, &value, false) == nil ? nil : value
    }

    fileprivate func flag(_ identifier: Int32) -> Bool { byte(identifier) != 0 }

    fileprivate func short(_ identifier: Int32) -> UInt16? {
        var value: UInt16 = 0
        return mosquitto_property_read_int16(self, identifier, &value, false) == nil ? nil : value
    }

    fileprivate func number(_ identifier: Int32) -> UInt32? {
        var value: UInt32 = 0
        return mosquitto_property_read_int32(self, identifier, &value, false) == nil ? nil : value
    }

    fileprivate func variableNumber(_ identifier: Int32) -> UInt32? {
        var value: UInt32 = 0
        return mosquitto_property_read_varint(self, identifier, &value, false) == nil ? nil : value
    }

    fileprivate func text(_ identifier: Int32) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard mosquitto_property_read_string(self, identifier, &value, false) != nil, let value
        else { return nil }
        defer { free(value) }
        return String(cString: value)
    }

    fileprivate func data(_ identifier: Int32) -> [UInt8]? {
        var value: UnsafeMutableRawPointer?
        var length: UInt16 = 0
        guard mosquitto_property_read_binary(self, identifier, &value, &length, false) != nil
        else { return nil }
        defer { free(value) }
        return Array(UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : Int(length)))
    }

    fileprivate func pair(_ identifier: Int32) -> MQTTProperties.UserProperty? {
        var name: UnsafeMutablePointer<CChar>?
        var value: UnsafeMutablePointer<CChar>?
        guard mosquitto_property_read_string_pair(self, identifier, &name, &value, false) != nil
        else { return nil }
        defer {
            free(name)
            free(value)
        }
        return .init(
            name: name.map { String(cString: $0) } ?? "",
            value: value.map { String(cString: $0) } ?? "")
    }
}
