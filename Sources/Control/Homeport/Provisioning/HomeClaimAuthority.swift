internal import DeviceDomain
internal import DeviceIdentity
internal import DeviceMessages
internal import Provisioning

/// The home's own authority, for devices that are claimed.
struct HomeClaimAuthority: ClaimAuthority {
    let authority: IdentityAuthority
    /// Whether the broker proves itself with a certificate of the authority.
    let usesTLS: Bool

    func authorities() async throws(ProvisioningError) -> String? {
        guard usesTLS else { return nil }
        return try await wrapping { authority throws(IdentityError) in
            try await authority.certificates()
        }
    }

    func makeToken(
        for device: DeviceID
    ) async throws(ProvisioningError) -> ClaimToken {
        let name = name(of: device)
        let text = try await wrapping { authority throws(IdentityError) in
            try await authority.makeToken(for: name).text
        }
        guard let token = ClaimToken(rawValue: text) else {
            preconditionFailure("a token of the authority fits in a claim")
        }
        return token
    }

    func issue(
        to device: DeviceID, _ request: ClaimRequest
    ) async throws(ProvisioningError) -> StagedCertificate {
        let name = name(of: device)
        return try await wrapping { authority throws(IdentityError) in
            let issued = try await authority.claim(
                name, with: SingleUseToken(request.token.rawValue),
                try CertificateRequest(pem: request.signingRequest))
            return StagedCertificate(
                serial: "\(issued.record.serial)", certificate: issued.certificate)
        }
    }

    func activate(_ serial: String, for device: DeviceID) async throws(ProvisioningError) {
        guard let serial = SerialNumber(serial) else {
            throw ProvisioningError(
                .storage, "'\(serial)' is no serial number of a certificate", .checkStorage)
        }
        do throws(IdentityError) {
            try await authority.activate([serial])
        } catch {
            guard error.code == .notFound else { throw ProvisioningError(error) }
            // Its hour was over before anybody could take it into use: the broker refuses it.
            throw ProvisioningError(
                .commitRefused,
                "the certificate of \(device) was taken back before it was confirmed: reset the device "
                    + "and set it up again", .pressReset)
        }
    }

    func discardStaged(of device: DeviceID) async throws(ProvisioningError) {
        let name = name(of: device)
        _ = try await wrapping { authority throws(IdentityError) in
            try await authority.discardStaged(of: name)
        }
    }

    private func name(of device: DeviceID) -> IdentityName {
        .device(device, home: authority.home)
    }

    private func wrapping<Value>(
        _ body: (IdentityAuthority) async throws(IdentityError) -> Value
    ) async throws(ProvisioningError) -> Value {
        do {
            return try await body(authority)
        } catch {
            throw ProvisioningError(error)
        }
    }
}

extension ProvisioningError {
    fileprivate init(_ error: IdentityError) {
        self.init(
            error.underlying == nil ? .authority : .keychain, error.message, .checkStorage)
    }
}
