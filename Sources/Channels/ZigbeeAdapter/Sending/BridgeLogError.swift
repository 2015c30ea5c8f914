internal import DeviceDomain
internal import DeviceMessages

/// An error in the log of the bridge, which it publishes on `bridge/logging`.
///
/// It names the device and the attribute, but never the command, and the bridge does not publish the same
/// line twice in a row. So it is attributed to a command only if no other command matches.
struct BridgeLogError: Hashable, Sendable {
    /// The line without its namespace.
    let message: String

    /// - Returns: `nil` if it is not an error.
    init?(_ payload: [UInt8]) {
        guard let line = try? BridgePayload.object(payload), line["level"]?.string == "error",
            let text = line["message"]?.string
        else { return nil }
        message = text.hasPrefix("z2m: ") ? String(text.dropFirst(5)) : text
    }

    /// Why a `/set` of an attribute of a device failed; `nil` if the line is about something else.
    func reason(attribute: String, name: FriendlyName) -> AckCode? {
        if begins("Publish 'set' '\(attribute)' to '\(name)' failed: ") { return .notReady }
        if begins("No converter available for '\(attribute)' on '\(name)': ") {
            return .badArguments
        }
        return nil
    }

    private func begins(_ text: String) -> Bool { message.utf8.starts(with: text.utf8) }
}
