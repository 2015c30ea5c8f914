public import DeviceDomain
public import SharedPresentation

/// What the wizard needs of the machine and the home in order to bring a boxed device in.
public protocol ProvisioningService: Sendable {
    /// Reads the text of a device's QR code.
    /// - Returns: the name of the device's access point.
    func accessPoint(ofCode text: String) throws(Failure) -> String
    /// Reads the address of a device whose access point was joined by hand.
    func check(address: String) throws(Failure)
    /// Brings the device in. Cancelling the task takes the attempt back.
    /// - Parameter report: is told every change while the attempt runs.
    func provision(
        _ entry: ProvisioningEntry, report: @escaping @Sendable (ProvisioningReport) -> Void
    ) async -> ProvisioningOutcome
}

/// What the user enters for one device.
public struct ProvisioningEntry: Hashable, Sendable {
    /// The text of the QR code on the device's label. It contains a secret.
    public var code = ""
    /// The name of the Wi-Fi network.
    public var network = ""
    /// Its password; empty for an open network.
    public var password = ""
    /// The address of the device, where its access point was joined by hand; empty where the attempt
    /// is to join it.
    public var address = ""
    /// The name that the device gets; `nil` for one that is made from the label.
    public var device: DeviceID?

    public init() {}
}

/// Shows nothing of code and password.
extension ProvisioningEntry: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "<redacted> for \(device?.text ?? "a new device")" }
    public var debugDescription: String { description }
}

/// The five states of provisioning; the raw values are those of the library's events.
public enum ProvisioningStage: String, Hashable, Sendable, CaseIterable {
    /// Looks for the device.
    case scanning
    /// Joins its access point and opens a protected session.
    case connecting = "connecting-to-device-ap"
    /// Gives it a certificate and the Wi-Fi network.
    case sendingCredentials = "sending-wifi-credentials"
    /// Waits until it shows itself at the home's broker.
    case confirming = "confirming-cloud-connection"
    /// Commits the claim.
    case finalizing
}

/// What the user can do where provisioning did not succeed; the raw values are those of the library.
public enum ProvisioningAdvice: String, Hashable, Sendable, CaseIterable {
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
    /// Put keychain, storage or disk in order.
    case checkStorage
    /// Run the same again.
    case runAgain
    /// Ask the maker of the device.
    case contact
}

/// Why provisioning did not go on, and what the user can do.
public struct ProvisioningFailure: Hashable, Sendable {
    /// What happened and why.
    public let cause: String
    /// What the user can do.
    public let advice: ProvisioningAdvice

    public init(_ cause: String, _ advice: ProvisioningAdvice) {
        self.cause = cause
        self.advice = advice
    }
}

/// What an attempt says while it runs.
public enum ProvisioningReport: Hashable, Sendable {
    /// It entered a state, or tries again in it.
    case stage(ProvisioningStage)
    /// It goes on, and the user can help.
    case notice(ProvisioningFailure)
}

/// How an attempt ended.
public enum ProvisioningOutcome: Hashable, Sendable {
    /// The device is in the home.
    case added(DeviceID)
    /// It is not.
    case failed(ProvisioningFailure)
    /// It may be in the home or not; the same attempt can be resumed.
    case undecided(ProvisioningFailure)
    /// The user took the attempt back.
    case cancelled
}
