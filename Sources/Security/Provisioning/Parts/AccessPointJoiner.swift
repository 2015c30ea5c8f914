public import Keychain

/// Joins the Wi-Fi network of a boxed device, and leaves it again.
public protocol AccessPointJoiner: Sendable {
    /// Joins the access point of a name; does nothing where it is joined already.
    /// - Parameter password: that of the access point; `nil` for one without.
    /// - Throws: ``ProvisioningError`` `noAccessPoint`, whose text says what the user can do by hand.
    func join(_ name: String, password: Secret?) async throws(ProvisioningError)

    /// Leaves the access point, so that the machine returns to its own network.
    func leave(_ name: String) async
}

/// For an access point that the machine reaches already: it joins nothing.
public struct JoinedAccessPoint: AccessPointJoiner {
    public init() {}

    public func join(_ name: String, password: Secret?) async throws(ProvisioningError) {}

    public func leave(_ name: String) async {}
}
