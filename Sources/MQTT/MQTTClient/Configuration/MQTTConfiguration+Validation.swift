extension MQTTConfiguration {
    /// Throws `invalidArgument` for values that CONNECT cannot contain. Every connection calls it before its
    /// first attempt, because fields can be changed after initialization.
    public func validate() throws(MQTTError) {
        try broker.validate()
        for broker in fallbackBrokers { try broker.validate() }
        if let sourceAddress, !HostResolver.isNumeric(sourceAddress) {
            throw .invalid(
                "the source address \"\(sourceAddress)\" is no IPv4 or IPv6 address: names are not "
                    + "looked up for it")
        }
        guard keepAlive >= .seconds(5), keepAlive <= .seconds(65_535) else {
            throw .invalid("a keep-alive of \(keepAlive) is not between 5 and 65,535 seconds")
        }
        guard connectTimeout > .zero else {
            throw .invalid("a connect timeout of \(connectTimeout) leaves no time to connect")
        }
        if let acknowledgementTimeout, acknowledgementTimeout <= .zero {
            throw .invalid(
                "an acknowledgement timeout of \(acknowledgementTimeout) leaves no time to answer: "
                    + "nil waits for ever")
        }
        try reconnect.validate()
        guard clientID != .assignedByBroker || (version == .v5 && cleanStart) else {
            throw .invalid("a broker assigns a client id only on MQTT 5 and to a clean start")
        }
        try credentials?.validate()
        try connectProperties.validate()
        try will?.validate()
    }
}

extension MQTTReconnectPolicy {
    func validate() throws(MQTTError) {
        let times = [
            ("initial", initial), ("spread", spread), ("cap", cap), ("stableAfter", stableAfter),
        ]
        for (name, time) in times where time < .zero {
            throw .invalid("\(name) of the reconnect policy is negative: \(time)")
        }
    }
}

extension MQTTBrokerAddress {
    func validate() throws(MQTTError) {
        try MQTTString.validate(host, as: "broker host")
        let delimiters = " /?#@[]".utf8
        guard !host.utf8.contains(where: delimiters.contains) else {
            throw .invalid(
                "broker host \"\(host)\" contains a blank or one of / ? # @ [ ]: give a host name, or an "
                    + "IPv4 or IPv6 address")
        }
        guard !host.utf8.contains(UInt8(ascii: ":")) || HostResolver.isIPv6(host) else {
            throw .invalid(
                "broker host \"\(host)\" contains a colon and is not an IPv6 address: the port is given apart"
            )
        }
        guard port > 0 else { throw .invalid("a broker's port is a number from 1 to 65535") }
    }
}

extension MQTTCredentials {
    func validate() throws(MQTTError) {
        try MQTTString.validate(username, as: "user name")
        if let password { try MQTTString.validateContents(password, as: "password") }
    }
}

extension MQTTWill {
    /// In CONNECT the length of the will's payload has two bytes, in PUBLISH up to four.
    func validate() throws(MQTTError) {
        try MQTTString.validate(message.payload, as: "will payload")
        try message.properties.validate()
    }
}
