/// What the user can do where a device could not be brought into a home.
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
    /// Update the device's firmware, or allow a session that a listener can read.
    case allowWeakSession
    /// Choose another name for the device.
    case chooseName
    /// Start the broker, or check how it is reached.
    case checkBroker
    /// Start the Matter server, or check how it is reached.
    case checkServer
    /// Put keychain, ledger or disk in order.
    case checkStorage
    /// Run the same again.
    case runAgain
    /// Ask the maker of the device.
    case contact
}
