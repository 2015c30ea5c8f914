public import DeviceDomain

/// The state of one attempt: the five states that events name, and its end.
public enum ProvisioningState: Hashable, Sendable {
    /// Looks for the device.
    case scanning(ProvisioningTries)
    /// Opens a session.
    case connectingToDeviceAP(ProvisioningTries)
    /// Gives the device certificate and network.
    case sendingWiFiCredentials(ProvisioningTries)
    /// Waits for the device at the broker.
    case confirmingCloudConnection(ProvisioningTries)
    /// Commits the claim. From here on the attempt only goes forward, or is refused by the device.
    case finalizing
    /// Takes back what was done, in the state that is named, before the attempt ends.
    case rollingBack(ProvisioningPhase, ProvisioningEnding)
    /// It is over.
    case ended(ProvisioningPhase, ProvisioningEnding)

    /// The state as events name it: of an end the last one before it.
    public var phase: ProvisioningPhase {
        switch self {
        case .scanning: .scanning
        case .connectingToDeviceAP: .connectingToDeviceAP
        case .sendingWiFiCredentials: .sendingWiFiCredentials
        case .confirmingCloudConnection: .confirmingCloudConnection
        case .finalizing: .finalizing
        case .rollingBack(let phase, _), .ended(let phase, _): phase
        }
    }
}

/// How an attempt ended.
public enum ProvisioningEnding: Hashable, Sendable {
    /// The device is in the home.
    case provisioned
    /// It is not, for certain, and all was taken back.
    case failed(ProvisioningError)
    /// The user took it back.
    case cancelled
    /// It may be or not; the same attempt can be resumed.
    case unknown(ProvisioningError)
}
