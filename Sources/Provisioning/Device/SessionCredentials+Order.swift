internal import DeviceDomain
internal import ProvisioningProtocol

extension ProvisioningOrder {
    /// What is shown to a device with this protection.
    /// - Throws: ``ProvisioningError`` `unsupportedSecurity` for one that was not allowed.
    func credentials(
        for offered: ProvisioningSecurity
    ) throws(ProvisioningError) -> SessionCredentials {
        // Without a choice a device, or what pretends to be it, could talk the session out of its protection.
        if let wanted = security ?? code.security, wanted != offered {
            throw ProvisioningError(
                .unsupportedSecurity,
                "the device offers Security \(offered.rawValue), and Security \(wanted.rawValue) "
                    + "was asked for",
                offered == .unprotected ? .allowSecurity0 : .checkLabel)
        }
        switch offered {
        case .unprotected where security == .unprotected: return .unprotected
        case .unprotected:
            throw ProvisioningError(
                .unsupportedSecurity,
                "the device offers a session without protection, in which everybody near it reads "
                    + "the Wi-Fi password", .allowSecurity0)
        case .proofOfPossession: return .proofOfPossession(code.proof)
        case .password:
            guard let username = code.username else {
                throw ProvisioningError(
                    .wrongProof, "the device asks for a user, which the setup code does not name",
                    .checkLabel)
            }
            return .password(username: username, code.proof)
        }
    }
}

extension SessionCredentials {
    /// Whether a device that refuses this exchange of the handshake, counted from 1, refuses the proof.
    func isRefused(at exchange: Int) -> Bool {
        switch self {
        case .unprotected: false
        case .proofOfPossession: exchange == 2
        // The first one names the user.
        case .password: true
        }
    }
}
