import ArgumentParser
import Credentials
import Fleet
import LocalServices
import MQTTClient

/// What clients present to their broker, and how they know it.
struct BrokerAccessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The certificate authorities that may have issued the broker's certificate (default: the "
                + "system's).", valueName: "FILE"), completion: .file())
    var caFile: String?

    @Option(
        help: ArgumentHelp(
            "One certificate that all devices present, with its chain.", valueName: "FILE"),
        completion: .file())
    var certFile: String?

    @Option(
        help: ArgumentHelp(
            "The key of --cert-file, closed to other users (default: in --cert-file).",
            valueName: "FILE"), completion: .file())
    var keyFile: String?

    @Option(
        help: ArgumentHelp(
            "A certificate and key of each device, DIR/HOME/DEVICE.crt and .key, as 'homeport identity "
                + "issue' writes them.", valueName: "DIR"), completion: .directory)
    var identities: String?

    @Option(
        help: ArgumentHelp(
            "User name and password of all devices: two lines, username=… and password=…, in a file of "
                + "yours with mode 0600, or keychain:NAME.", valueName: "FILE"),
        completion: .file())
    var credentialsFile: String?

    /// The brokers at some addresses; `nil` where there are none. If one is the private broker of another
    /// homeport-sim, with what that asks for. Not a transform of the option, whose errors repeat the value: it may
    /// carry a password.
    /// - Throws: an error about an option.
    func brokers(at broker: [String]) throws -> FleetBrokers? {
        guard !broker.isEmpty else {
            if let option = given {
                throw ValidationError("\(option) is for the broker that --broker names: name one")
            }
            return nil
        }
        do throws(FleetError) {
            let (credentials, identity) = (try credentials(), try identity())
            var brokers: [FleetBroker] = []
            for url in broker {
                if let credentials {
                    brokers.append(
                        try FleetBroker(url: url, credentials: credentials, identity: identity))
                } else {
                    brokers.append(try FleetBroker(at: url, identity: identity))
                }
            }
            return FleetBrokers(brokers)
        } catch {
            throw ValidationError("--broker: \(error)")
        }
    }

    func validate() throws {
        guard keyFile == nil || certFile != nil else {
            throw ValidationError("--key-file is the key of --cert-file: give both")
        }
        guard certFile == nil || identities == nil else {
            throw ValidationError(
                "--cert-file and --identities exclude each other: give one of them")
        }
    }

    private func identity() throws(FleetError) -> FleetIdentity {
        let presentation: FleetIdentity.Presentation =
            if let identities { .folder(identities) } else if let certFile {
                .shared(certificateFile: certFile, keyFile: keyFile)
            } else { .nothing }
        return FleetIdentity(authorityFile: caFile, presenting: presentation)
    }

    private func credentials() throws(FleetError) -> MQTTCredentials? {
        guard let credentialsFile else { return nil }
        do {
            return try CredentialsReference(credentialsFile).read()
        } catch {
            throw FleetError(.unusableOption, error.message)
        }
    }

    /// The first option that needs a broker which is named.
    private var given: String? {
        if caFile != nil { return "--ca-file" }
        if certFile != nil { return "--cert-file" }
        if identities != nil { return "--identities" }
        return credentialsFile == nil ? nil : "--credentials-file"
    }
}

extension FleetBroker {
    /// A broker by its URL; if it is the private broker of a running homeport-sim, with what that asks for.
    init(at url: String, identity: FleetIdentity = FleetIdentity()) throws(FleetError) {
        let named = try FleetBroker(url: url, identity: identity)
        guard let announced = MeetingPoint().broker(at: "\(named)") else {
            self = named
            return
        }
        let user = announced.credentials
        try self.init(url: announced.url, user: (user.username, user.password))
        do {
            locator = try PrivateBrokerLocator(
                .named(MQTTBrokerAddress(url: announced.url)), at: MeetingPoint())
        } catch {
            throw FleetError(.unusableOption, error.message)
        }
    }
}
