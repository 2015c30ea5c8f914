internal import DeviceDomain
internal import ProvisioningProtocol

extension SetupCode {
    /// What is shown to a device that offers a protection.
    /// - Parameter chosen: the protection that the user asks for; `nil` for what the code says.
    /// - Throws: ``ProvisioningError`` `unsupportedSecurity` for one that was not allowed.
    func credentials(
        for offered: ProvisioningSecurity, chosen: ProvisioningSecurity?
    ) throws(ProvisioningError) -> SessionCredentials {
        // Without a choice a device, or what pretends to be it, could talk the session out of its protection.
        if let wanted = chosen ?? labelledSecurity, wanted != offered {
            throw ProvisioningError(
                .unsupportedSecurity,
                "the device offers Security \(offered.rawValue), and \(reason(for: wanted, chosen, offered))",
                offered == .unprotected ? .allowSecurity0 : chosen == nil ? .checkLabel : .runAgain)
        }
        switch offered {
        case .unprotected where chosen == .unprotected: return .unprotected
        case .unprotected:
            throw ProvisioningError(
                .unsupportedSecurity,
                "the device offers a session without protection, in which everybody near it reads "
                    + "the Wi-Fi password", .allowSecurity0)
        case .proofOfPossession: return .proofOfPossession(proof)
        case .password:
            guard let username, !username.isEmpty else {
                throw ProvisioningError(
                    .wrongProof, "the device asks for a user, which the setup code does not name",
                    .checkLabel)
            }
            return .password(username: username, proof)
        }
    }

    /// What the label says: a user is for Security 2 alone, so a label that names one needs no more words.
    private var labelledSecurity: ProvisioningSecurity? {
        security ?? (username?.isEmpty == false ? .password : nil)
    }

    private func reason(
        for wanted: ProvisioningSecurity, _ chosen: ProvisioningSecurity?,
        _ offered: ProvisioningSecurity
    ) -> String {
        if chosen != nil {
            let remedy =
                offered == .unprotected
                ? "" : ": give --security \(offered.rawValue), or leave it out"
            return "--security \(wanted.rawValue) was asked for\(remedy)"
        }
        if security != nil { return "its label says Security \(wanted.rawValue)" }
        return
            "its label names a user, which means Security \(wanted.rawValue): something else may "
            + "answer in its place; --security takes the one that is offered"
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
