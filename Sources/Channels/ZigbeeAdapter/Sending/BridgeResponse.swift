internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// A response of the bridge on `bridge/response/…`.
struct BridgeResponse: Hashable, Sendable {
    /// The command whose id was sent as the transaction; `nil` for a request of another client.
    let command: CommandID?
    /// Why the request failed; `nil` if it succeeded.
    let failure: String?

    /// - Returns: `nil` if it is not a response.
    init?(_ payload: [UInt8]) {
        guard let members = try? BridgePayload.object(payload),
            let status = members["status"]?.string
        else { return nil }
        command = members["transaction"]?.string.flatMap { CommandID($0) }
        failure =
            status == "ok" ? nil : members["error"]?.string?.brief() ?? "the bridge says \(status)"
    }

    /// The evidence about a command.
    func evidence(_ id: CommandID, of bridge: DeviceID) -> CommandEvidence {
        CommandEvidence(
            id: id, device: bridge, source: .bridge, stage: failure == nil ? .succeeded : .failed,
            code: failure == nil ? .ok : .internal, message: failure ?? "")
    }
}
