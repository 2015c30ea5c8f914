public import DeviceDomain
public import SharedPresentation

/// What the wizard needs of the machine and the home in order to bring a boxed device in.
public protocol ProvisioningService: Sendable {
    /// Reads the text of a device's QR code.
    /// - Returns: the name of the device's access point.
    func accessPoint(ofCode text: String) throws(Failure) -> String
    /// Reads the address of a device whose access point was joined by hand.
    func check(address: String) throws(Failure)
    /// Asks the device for the Wi-Fi networks that it finds. Cancelling the task ends that.
    func networks(_ entry: ProvisioningEntry) async -> NetworkSearch
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

/// Why provisioning did not go on, and what the user can do.
public struct ProvisioningFailure: Hashable, Sendable {
    /// What happened and why.
    public let cause: String
    /// What the user can do.
    public let action: UserAction
    /// The code of `ProvisioningError`, by which a view says the cause in its own language; empty for none.
    public let code: String

    public init(_ cause: String, _ action: UserAction, code: String = "") {
        self.cause = cause
        self.action = action
        self.code = code
    }
}

/// What an attempt says while it runs.
public enum ProvisioningReport: Hashable, Sendable {
    /// It entered a state, or tries again in it.
    case phase(ProvisioningPhase)
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
