/// A Wi-Fi network that a boxed device finds.
public struct FoundNetwork: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// How strong the device receives it, in dBm.
    public let signalDBm: Int
    /// Whether it asks for no password.
    public let isOpen: Bool

    public init(_ name: String, signalDBm: Int, isOpen: Bool) {
        self.name = name
        self.signalDBm = signalDBm
        self.isOpen = isOpen
    }
}

/// What came of asking a device for the networks that it finds.
public enum NetworkSearch: Hashable, Sendable {
    /// These, the strongest first; perhaps none.
    case found([FoundNetwork])
    /// It could not be asked.
    case failed(ProvisioningFailure)
}
