import Basics
package import MQTTClient

/// The broker that a fleet connects to, which may have several addresses.
package struct FleetBroker: Sendable, CustomStringConvertible {
    private enum Users: Sendable {
        /// All as the same user, or as nobody.
        case common(MQTTCredentials?)
        /// Each as its own.
        case own([DeviceKey: MQTTCredentials])
    }

    /// All of its addresses; at least one.
    private let addresses: [MQTTBrokerAddress]
    /// The first of its addresses.
    var address: MQTTBrokerAddress { addresses[0] }
    /// As whom devices connect.
    private let users: Users
    /// What devices present, and check the broker with.
    private(set) var identity: FleetIdentity
    /// Says before each attempt of a device where the broker is and as whom devices connect; `nil` for a broker
    /// that stays.
    package var locator: (any MQTTBrokerLocator)?

    /// Reads `mqtt://host[:port]` or `mqtts://host[:port]`, or several of one cluster with commas between them.
    /// - Parameters:
    ///   - credentials: whom all devices connect as, where the broker asks for it.
    ///   - identity: with `mqtts://` only.
    /// - Throws: ``FleetError`` saying what is wrong with the URL, or that it is not `mqtts://`.
    package init(
        url: String, credentials: MQTTCredentials? = nil, identity: FleetIdentity = FleetIdentity()
    ) throws(FleetError) {
        do {
            addresses = try MQTTBrokerAddress.cluster(urls: url)
        } catch {
            throw FleetError(.unusableOption, error.message)
        }
        users = .common(credentials)
        self.identity = identity
        if let option = identity.option, !address.usesTLS {
            throw FleetError(
                .unusableOption, "\(option) needs TLS, but the broker is \(address): use mqtts://")
        }
    }

    /// With whom all devices of a private broker connect.
    /// - Throws: ``FleetError`` saying what is wrong with the name or the password.
    package init(
        url: String, user: (name: String, password: String)
    ) throws(FleetError) {
        let credentials: MQTTCredentials
        do {
            credentials = try MQTTCredentials(username: user.name, password: user.password)
        } catch {
            throw FleetError(.unusableOption, error.message)
        }
        try self.init(url: url, credentials: credentials)
    }

    /// A broker on which every device is a user of its own.
    /// - Throws: ``FleetError`` saying what is wrong with the URL, a name or a password.
    package init(
        url: String, users: [DeviceKey: (name: String, password: String)]
    ) throws(FleetError) {
        do {
            addresses = try MQTTBrokerAddress.cluster(urls: url)
            var known: [DeviceKey: MQTTCredentials] = [:]
            for (device, user) in users {
                known[device] = try MQTTCredentials(username: user.name, password: user.password)
            }
            self.users = .own(known)
        } catch {
            throw FleetError(.unusableOption, error.message)
        }
        identity = FleetIdentity()
    }

    /// The addresses in the order in which a client tries them, which begins at one that the seed draws.
    func addresses(seed: UInt64) -> [MQTTBrokerAddress] {
        var generator = SeededGenerator(seed: seed)
        return addresses.fromRandomOne(using: &generator)
    }

    /// As whom a device connects, if the broker asks for it.
    func credentials(of device: DeviceKey) -> MQTTCredentials? {
        switch users {
        case .common(let credentials): credentials
        case .own(let users): users[device]
        }
    }

    /// As whom all devices connect, if they are one user.
    var commonCredentials: MQTTCredentials? {
        switch users {
        case .common(let credentials): credentials
        case .own: nil
        }
    }

    /// Whether devices tell the broker who they are by a name and a password.
    var hasCredentials: Bool {
        switch users {
        case .common(let credentials): credentials != nil
        case .own: true
        }
    }

    /// How a device connects. `mqtt://` asks for plaintext, wherever the broker is.
    func security(of device: DeviceKey) -> MQTTSecurity {
        address.usesTLS ? .tls(identity.configuration(of: device)) : .plaintextAnywhere
    }

    /// The same broker for a device with a certificate of its own, used where the broker asks for TLS.
    /// - Parameter authorityFile: the authorities of the broker's certificate; `nil` for the system's.
    package func presenting(
        certificateFile: String, keyFile: String, authorityFile: String?
    ) -> FleetBroker {
        var broker = self
        broker.identity = FleetIdentity(
            authorityFile: authorityFile,
            presenting: .shared(certificateFile: certificateFile, keyFile: keyFile))
        return broker
    }

    package var description: String { addresses.clusterText }
}

/// The version of MQTT that the devices speak.
package enum FleetProtocolVersion: String, Sendable, CaseIterable {
    /// MQTT 5.0.
    case v5 = "5"
    /// MQTT 3.1.1.
    case v311 = "3.1.1"

    var mqtt: MQTTProtocolVersion {
        switch self {
        case .v5: .v5
        case .v311: .v3_1_1
        }
    }

    /// How long a broker keeps a device's session: what was asked for with MQTT 5; with 3.1.1 there
    /// is no telling, and PROTOCOL section 3 takes a day.
    var sessionExpiry: Duration {
        switch self {
        case .v5: .seconds(3600)
        case .v311: .seconds(24 * 3600)
        }
    }
}
