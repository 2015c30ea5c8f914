extension MQTTConfiguration {
    /// Throws `invalidArgument` for what no CONNECT can carry. Every connection asks before its first
    /// attempt, because fields can be changed after they were made.
    public func validate() throws(MQTTError) {
        try broker.validate()
        for broker in fallbackBrokers { try broker.validate() }
        if let sourceAddress { try MQTTString.validate(sourceAddress, as: "source address") }
        guard keepAlive >= .seconds(5), keepAlive <= .seconds(65_535) else {
            throw .invalid("a keep-alive of \(keepAlive) is not between 5 and 65,535 seconds")
        }
        guard clientID != .assignedByBroker || (version == .v5 && cleanStart) else {
            throw .invalid("a broker assigns a client id only on MQTT 5 and to a clean start")
        }
        try credentials?.validate()
        try connectProperties.validate()
        try will?.validate()
    }
}

extension MQTTBrokerAddress {
    func validate() throws(MQTTError) {
        try MQTTString.validate(host, as: "broker host")
        let isName = host.utf8.allSatisfy { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "/") }
        guard isName else {
            throw .invalid("broker host \"\(host)\" contains a blank or a slash")
        }
    }
}

extension MQTTCredentials {
    func validate() throws(MQTTError) {
        try MQTTString.validate(username, as: "user name")
        if let password { try MQTTString.validateContents(password, as: "password") }
    }
}

extension MQTTWill {
    /// In CONNECT the length of the payload has two bytes, in PUBLISH it has four.
    func validate() throws(MQTTError) {
        try MQTTString.validate(message.payload, as: "will payload")
        try message.properties.validate()
    }
}
