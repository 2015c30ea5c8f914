public import DeviceDomain

/// What an attempt says while it runs.
public enum ProvisioningEvent: Hashable, Sendable {
    /// It entered a state, or tries again in it.
    case transition(ProvisioningTransition)
    /// It goes on, and the user can help.
    case notice(ProvisioningError)
}

/// One change of an attempt's state.
public struct ProvisioningTransition: Hashable, Sendable {
    /// Which attempt.
    public let attempt: ProvisioningAttemptID
    /// The state until now; `nil` at the beginning.
    public let from: ProvisioningPhase?
    /// The state from now on.
    public let to: ProvisioningPhase
    /// Why.
    public let cause: String
    /// How long the attempt has run in this process.
    public let elapsed: Duration
}

/// How an attempt ended.
public struct ProvisioningResult: Hashable, Sendable {
    /// Which attempt.
    public let attempt: ProvisioningAttemptID
    /// The device.
    public let device: DeviceID
    /// How it ended.
    public let ending: ProvisioningEnding
    /// How long the attempt has run in this process.
    public let elapsed: Duration
}
