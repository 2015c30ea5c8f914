package import DeviceDomain
package import DeviceMessages

/// Whether a device is connected, as its platform says.
package struct AlinkStatus: Hashable, Sendable {
    /// Whether it is connected.
    package let isOnline: Bool
    /// When that was last certain; the newest one counts. `nil` where it does not say.
    package let lastTime: Timestamp?

    /// Reads `{"status":"online","utcLastTime":"2018-08-31T07:32:28.195Z",…}`.
    /// - Throws: `PayloadError` where the status is neither online nor offline.
    package init(payload: [UInt8]) throws(PayloadError) {
        let members = try JSONReader.read(payload, limits: AlinkRequest.limits).object ?? [:]
        switch members["status"]?.string {
        case "online": isOnline = true
        case "offline": isOnline = false
        default:
            throw PayloadError(
                code: .outOfRange, path: "status", message: "online or offline was expected")
        }
        let utc = members["utcLastTime"]?.string ?? members["utcTime"]?.string
        // Without UTC the time is that of Beijing, with a blank.
        let local = (members["lastTime"] ?? members["time"])?.string?
            .split(separator: " ").joined(separator: "T")
        lastTime = utc.flatMap(Timestamp.init) ?? local.flatMap { Timestamp("\($0)+08:00") }
    }
}
