/// What the user can do where provisioning did not succeed; the raw value is for programs.
public enum UserAction: String, Hashable, Sendable, CaseIterable {
    /// Give the right Wi-Fi password.
    case retryPassword
    /// Check the name of the Wi-Fi network, and bring the device nearer to its router.
    case moveCloser
    /// Put the device into its set-up mode.
    case pressReset
    /// Check the code on the device's label.
    case checkLabel
    /// Join the device's access point by hand.
    case joinAccessPoint
    /// Allow a session without protection.
    case allowSecurity0
    /// Choose another name for the device.
    case chooseName
    /// Start the broker, or check how it is reached.
    case checkBroker
    /// Put keychain, ledger or disk in order.
    case checkStorage
    /// Run the same again.
    case runAgain
    /// Ask the maker of the device.
    case contact
}

extension UserAction: CustomStringConvertible {
    public var description: String {
        switch self {
        case .retryPassword: "give the right Wi-Fi password"
        case .moveCloser: "check the network's name, and bring the device nearer to its router"
        case .pressReset: "put the device into its set-up mode, and try again"
        case .checkLabel: "check the code on the device's label"
        case .joinAccessPoint: "join the device's access point by hand"
        case .allowSecurity0: "allow it with --security 0 if nobody else is near"
        case .chooseName: "choose another name with --device"
        case .checkBroker: "check that the broker runs and how it is reached"
        case .checkStorage: "put that in order, and run it again"
        case .runAgain: "run it again"
        case .contact: "ask the maker of the device"
        }
    }
}
