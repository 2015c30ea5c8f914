public import Homeport
public import ProvisioningPresentation
public import SharedPresentation

/// Brings boxed devices into a running home, for the wizard.
public struct LiveProvisioning: ProvisioningService {
    private let home: Home
    private let authority: @Sendable () throws -> IdentityAuthority
    private let keychain: @Sendable () throws -> any KeychainService
    private let joiner: any AccessPointJoiner

    /// - Parameters:
    ///   - joiner: joins the access point of a device, unless that was done by hand.
    ///   - authority: opens what issues the device's certificate.
    ///   - keychain: opens where the Wi-Fi password is while it is needed.
    public init(
        _ home: Home, joiner: any AccessPointJoiner,
        authority: @escaping @Sendable () throws -> IdentityAuthority,
        keychain: @escaping @Sendable () throws -> any KeychainService
    ) {
        self.home = home
        self.joiner = joiner
        self.authority = authority
        self.keychain = keychain
    }

    public func accessPoint(ofCode text: String) throws(Failure) -> String {
        try Self.code(text).name
    }

    public func check(address text: String) throws(Failure) {
        guard AccessPointAddress(url: text) == nil else { return }
        throw Failure(
            "it is http:// and a numeric address: http://192.168.4.1:80", .changeEntry,
            code: "access-point-address")
    }

    private static func code(_ text: String) throws(Failure) -> SetupCode {
        do {
            return try SetupCode(text: text)
        } catch {
            throw Failure(error.message.asSentence, .changeEntry, code: "setup-code")
        }
    }

    public func networks(_ entry: ProvisioningEntry) async -> NetworkSearch {
        let code: SetupCode
        do throws(Failure) {
            code = try Self.code(entry.code)
        } catch {
            return .failed(
                ProvisioningFailure(error.cause, .checkLabel, code: "SETUP_CODE"))
        }
        let address = AccessPointAddress(url: entry.address)
        do throws(ProvisioningError) {
            return .found(
                try await home.networks(
                    inReachOf: code, at: address,
                    joiner: address == nil ? joiner : JoinedAccessPoint()
                ).map(FoundNetwork.init))
        } catch {
            return .failed(ProvisioningFailure(error))
        }
    }

    public func provision(
        _ entry: ProvisioningEntry, report: @escaping @Sendable (ProvisioningReport) -> Void
    ) async -> ProvisioningOutcome {
        do {
            let address = AccessPointAddress(url: entry.address)
            let request = ProvisioningRequest(
                try Self.code(entry.code), ssid: entry.network,
                password: Secret(Array(entry.password.utf8)), as: entry.device, at: address,
                joiner: address == nil ? joiner : JoinedAccessPoint())
            let result = try await home.provision(
                request, authority: try authority(), keychain: try keychain(),
                report: { report(ProvisioningReport($0)) })
            return ProvisioningOutcome(result)
        } catch {
            return .failed(ProvisioningFailure(unbegun: error))
        }
    }
}

extension String {
    /// With a capital at its beginning, unless that may be a name.
    fileprivate var asSentence: String {
        let word = prefix { $0 != " " }
        guard word.allSatisfy({ $0.isASCII && $0.isLowercase }) else { return self }
        return prefix(1).uppercased() + dropFirst()
    }
}

extension ProvisioningReport {
    /// What an event of the library means for the wizard.
    init(_ event: ProvisioningEvent) {
        switch event {
        case .transition(let transition): self = .phase(transition.to)
        case .notice(let error): self = .notice(ProvisioningFailure(error))
        }
    }
}

extension FoundNetwork {
    fileprivate init(_ network: VisibleNetwork) {
        self.init(network.name, signalDBm: network.signalDBm, isOpen: network.isOpen)
    }
}

extension ProvisioningFailure {
    /// Why an attempt could not begin: home, authority or keychain.
    fileprivate init(unbegun error: any Error) {
        let code = (error as? HomeError)?.code
        let action: UserAction =
            switch code {
            case .configuration: .checkBroker
            case .notRunning, .cancelled: .runAgain
            default: .checkStorage
            }
        self.init("\(error)", action, code: action == .checkBroker ? "BROKER" : "STORAGE")
    }

    /// An error of the library.
    init(_ error: ProvisioningError) {
        self.init(error.message.asSentence, error.userAction, code: error.code.rawValue)
    }
}

extension ProvisioningOutcome {
    fileprivate init(_ result: ProvisioningResult) {
        switch result.ending {
        case .provisioned: self = .added(result.device)
        case .cancelled: self = .cancelled
        case .failed(let error): self = .failed(ProvisioningFailure(error))
        case .unknown(let error): self = .undecided(ProvisioningFailure(error))
        }
    }
}
