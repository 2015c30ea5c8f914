internal import DeviceDomain
internal import DeviceMessages

/// A command that was sent and whose result may still be observed.
struct OutstandingCommand: Sendable {
    /// The messages that can show the result.
    enum Watch: Sendable {
        /// The device's state, and errors in the bridge's log.
        case readBack(ReadBack)
        /// Errors in the bridge's log only: no state shows the effect, or a later command sets the same
        /// property.
        case errors
        /// The bridge's response to a request.
        case response
    }

    let id: CommandID
    let device: DeviceID
    /// The device's name when the command was sent.
    let name: FriendlyName
    /// The property that it sets, and the same without its endpoint.
    let property: String
    let attribute: String
    var watch: Watch

    /// Why the command failed, if the log error is about it.
    func reason(in logError: BridgeLogError) -> AckCode? {
        if case .response = watch { return nil }
        return logError.reason(attribute: attribute, name: name)
            ?? logError.reason(attribute: property, name: name)
    }
}
