import Homeport

/// The code of the page Provisioning.
enum ProvisioningSamples {
    static func provision(
        _ home: Home, label: String, password: Secret, _ keychain: any KeychainService,
        identities: String
    ) async throws -> ProvisioningEnding {
        // sample: provision
        let request = ProvisioningRequest(
            try await SetupCode.read(label), ssid: "attic", password: password,
            joiner: NetworkManagerJoiner())
        let authority = IdentityAuthority(
            home: home.id, keychain: keychain, folder: identities,
            clock: { MachineClock.wallTime })
        let result = try await home.provision(request, authority: authority, keychain: keychain) {
            if case .transition(let transition) = $0 { print(transition.to, transition.cause) }
        }
        switch result.ending {
        case .provisioned: print("\(result.device) is in the home")
        case .cancelled: print("taken back")
        case .failed(let error): print("not in the home: \(error)")
        case .unknown(let error): print("run the same again: \(error)")
        }
        // end sample
        return result.ending
    }

    static func commission(
        _ home: Home, label: String, channel: ChannelID, _ keychain: any KeychainService
    ) async throws -> ProvisioningEnding {
        // sample: commission
        let code = try await MatterSetupCode.read(label)
        let result = try await home.commissioner(on: channel).bringIn(code, keychain: keychain) {
            if case .transition(let transition) = $0 { print(transition.to, transition.cause) }
        }
        if let device = result.device { print("\(device) is in the home") }
        // end sample
        return result.ending
    }
}
