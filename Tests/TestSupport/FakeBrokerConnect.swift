/// What a client said in CONNECT.
package struct FakeBrokerConnect: Sendable {
    /// What the broker is to publish when the client breaks away.
    package struct Will: Sendable {
        package var topic: String
        package var payload: [UInt8]
        package var qos: UInt8
        package var retain: Bool
        package var properties: [FakeBrokerProperty]
    }

    package var version: FakeBrokerVersion
    package var cleanStart: Bool
    package var hasWill: Bool
    package var keepAlive: Int
    package var clientID: String
    /// MQTT 5: all properties in order.
    package var allProperties: [FakeBrokerProperty]
    package var will: Will?
    package var username: String?
    package var password: [UInt8]?

    /// MQTT 5: numeric properties by identifier; others are skipped.
    package var properties: [UInt8: UInt32] {
        allProperties.reduce(into: [:]) { numbers, property in
            if case .number(let number) = property.value { numbers[property.identifier] = number }
        }
    }

    package init(_ packet: FakeBrokerPacket) throws(TestSupportError) {
        var reader = ByteReader(bytes: packet.body[...])
        guard try reader.string() == "MQTT",
            let version = try FakeBrokerVersion(rawValue: reader.byte())
        else { throw TestSupportError("not a CONNECT of MQTT 3.1.1 or 5") }
        self.version = version
        let flags = try reader.byte()
        cleanStart = flags & 2 != 0
        hasWill = flags & 4 != 0
        keepAlive = Int(try reader.number(bytes: 2))
        allProperties = version == .v5 ? try reader.properties() : []
        clientID = try reader.string()
        if hasWill {
            let properties = version == .v5 ? try reader.properties() : []
            will = Will(
                topic: try reader.string(), payload: try reader.data(), qos: flags >> 3 & 3,
                retain: flags & 0x20 != 0, properties: properties)
        }
        if flags & 0x80 != 0 { username = try reader.string() }
        if flags & 0x40 != 0 { password = try reader.data() }
    }
}
