internal import Connectivity
internal import DeviceDomain

/// What a Matter server says of itself when it is connected to.
struct ServerInfo: Hashable, Sendable {
    /// The schema that this channel speaks.
    static let spokenSchema = 11

    /// The newest schema that the server speaks.
    let schema: Int
    /// The oldest schema that the server speaks.
    let oldestSchema: Int
    /// The version of its Matter library.
    let version: String
    /// Whether it knows Wi-Fi credentials for new devices.
    let hasWiFiCredentials: Bool
    /// Whether it knows a Thread dataset for new devices.
    let hasThreadDataset: Bool
    /// Whether it has a Bluetooth radio.
    let hasBluetooth: Bool

    init?(_ members: JSONObject) {
        guard let schema = members["schema_version"]?.integer else { return nil }
        self.schema = schema
        oldestSchema = members["min_supported_schema_version"]?.integer ?? schema
        version = members["sdk_version"]?.string ?? ""
        hasWiFiCredentials = members["wifi_credentials_set"]?.boolean ?? false
        hasThreadDataset = members["thread_credentials_set"]?.boolean ?? false
        hasBluetooth = members["bluetooth_enabled"]?.boolean ?? false
    }

    /// Why the channel cannot talk with the server; `nil` where it can.
    func refusal(by channel: ChannelID) -> CommunicationError? {
        let spoken = Self.spokenSchema
        if schema < spoken {
            return CommunicationError(
                .otherSchema,
                "the Matter server of the channel \(channel) speaks schema \(schema), and schema "
                    + "\(spoken) is needed; update the server", certainty: .neverLeft)
        }
        if oldestSchema > spoken {
            return CommunicationError(
                .otherSchema,
                "the Matter server of the channel \(channel) speaks no schema below \(oldestSchema) "
                    + "any more, and homeport speaks schema \(spoken); update homeport",
                certainty: .neverLeft)
        }
        return nil
    }
}

extension CommunicationError.Code {
    /// The other end speaks another version of its interface.
    static let otherSchema = CommunicationError.Code(rawValue: "other-schema")
}
