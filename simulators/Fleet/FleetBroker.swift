import MQTTClient

/// The broker that a fleet connects to.
package struct FleetBroker: Sendable, CustomStringConvertible {
    let address: MQTTBrokerAddress
    /// The user that all devices connect as, if the broker asks for one.
    let credentials: MQTTCredentials?
    /// Whom the devices trust and who they are, where the broker asks for TLS.
    private var tls = MQTTTLSConfiguration()

    /// With `mqtts://` TLS, by default with the system's certificate authorities. `mqtt://` asks for
    /// plaintext, wherever the broker is.
    var security: MQTTSecurity {
        address.usesTLS ? .tls(tls) : .plaintextAnywhere
    }

    /// Reads `mqtt://host[:port]` or `mqtts://host[:port]`.
    /// - Parameter user: whom the devices connect as, where the broker asks for it.
    /// - Throws: ``FleetError`` saying what is wrong with the URL, the name or the password.
    package init(
        url: String, user: (name: String, password: String)? = nil
    ) throws(FleetError) {
        do {
            address = try MQTTBrokerAddress(url: url)
            credentials = try user.map { user throws(MQTTError) in
                try MQTTCredentials(username: user.name, password: user.password)
            }
        } catch {
            throw FleetError(.unusableOption, error.message)
        }
    }

    /// The same broker for a device with a certificate of its own, used where the broker asks for TLS.
    /// - Parameter authorityFile: the authorities of the broker's certificate; `nil` for the system's.
    package func presenting(
        certificateFile: String, keyFile: String, authorityFile: String?
    ) -> FleetBroker {
        var broker = self
        broker.tls = MQTTTLSConfiguration(
            authorityFile: authorityFile, certificateFile: certificateFile, keyFile: keyFile)
        return broker
    }

    package var description: String { address.description }
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
