internal import DeviceDomain
internal import DeviceMessages

/// Parses payloads of zigbee2mqtt.
enum BridgePayload {
    /// `bridge/devices` and `bridge/info` of a large network have more than a megabyte.
    static let limits = JSONLimits(bytes: 16 << 20, depth: 64)
    /// States of devices are much smaller.
    static let stateLimits = JSONLimits(bytes: 256 << 10, depth: 32)

    /// An object.
    static func object(
        _ payload: [UInt8], limits: JSONLimits = Self.stateLimits
    ) throws(PayloadError) -> JSONObject {
        guard let object = try JSONReader.read(payload, limits: limits).object else {
            throw PayloadError(code: .wrongType, message: "an object was expected")
        }
        return object
    }

    /// An array.
    static func array(
        _ payload: [UInt8], limits: JSONLimits = Self.limits
    ) throws(PayloadError) -> [JSONValue] {
        guard let array = try JSONReader.read(payload, limits: limits).array else {
            throw PayloadError(code: .wrongType, message: "an array was expected")
        }
        return array
    }

    /// `{"state":"online"}`, or the bare word of older versions.
    static func status(_ payload: [UInt8]) throws(PayloadError) -> PresenceReport.Status {
        let bare = String(decoding: payload.prefix(16), as: UTF8.self)
        if let status = PresenceReport.Status(rawValue: bare) { return status }
        guard let text = try object(payload)["state"]?.string,
            let status = PresenceReport.Status(rawValue: text)
        else {
            throw PayloadError(
                code: .outOfRange, path: "state", message: "online or offline was expected")
        }
        return status
    }
}

extension String {
    /// The text without control characters, cut to at most this many characters.
    func brief(_ limit: Int = 300) -> String {
        let plain = String(unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
        return plain.count > limit ? plain.prefix(limit - 1) + "…" : plain
    }
}
