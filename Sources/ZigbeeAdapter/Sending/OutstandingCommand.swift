internal import DeviceDomain
internal import DeviceMessages

/// A command that was sent and of which something may still be heard.
struct OutstandingCommand: Sendable {
    /// What is listened for.
    enum Watch: Sendable {
        /// The device's own word, and errors of the bridge.
        case readBack(ReadBack)
        /// Errors of the bridge only: the effect cannot be proven, or a later command to the same
        /// property hides it.
        case errors
        /// The bridge's answer to a request.
        case response
    }

    let id: CommandID
    let device: DeviceID
    /// The device's name when it was sent.
    let name: FriendlyName
    /// The property that it sets, and the same without its endpoint.
    let property: String
    let attribute: String
    var watch: Watch

    /// Why the bridge could not do it, if a complaint is about it.
    func reason(in complaint: BridgeComplaint) -> AckCode? {
        if case .response = watch { return nil }
        return complaint.reason(attribute: attribute, name: name)
            ?? complaint.reason(attribute: property, name: name)
    }
}
