internal import MQTTClient

/// Why a broker cannot be used, from the error of the only attempt. Pure.
struct ConnectionCheck: Sendable {
    /// The broker, as messages name it.
    let address: String
    /// The error of the attempt.
    let error: MQTTError
    /// Another version of MQTT that the broker accepts.
    let otherVersion: MQTTProtocolVersion?

    /// What was found.
    var finding: Finding {
        if let otherVersion {
            return .problem(
                .broker, "\(address) speaks MQTT \(otherVersion.rawValue) only: \(error.message)",
                remedy: "pass --mqtt-version \(otherVersion.rawValue), or write mqtt-version: "
                    + "\(otherVersion.rawValue) in the configuration file")
        }
        return .problem(check, "\(address): \(error.message)", remedy: remedy)
    }

    /// Whether the broker may accept the other version of MQTT.
    static func mayBeVersion(_ error: MQTTError) -> Bool {
        switch error.code {
        case .connectionRefused: error.reasonCode == .unsupportedProtocolVersion
        case .connectionLost, .protocolViolation, .serverDisconnected: true
        default: false
        }
    }

    private var isAboutCredentials: Bool {
        guard error.code == .connectionRefused, let reason = error.reasonCode else { return false }
        return [.badUserNameOrPassword, .notAuthorized, .badAuthenticationMethod].contains(reason)
    }

    /// Whether the broker has refused the certificate of this client, or the lack of one. `MQTTClient` reads
    /// that from the alert of the broker, and tells it in words only.
    private var isAboutOwnCertificate: Bool { error.message.contains("certificate of this client") }

    private var check: Finding.Check {
        if error.code == .tlsConfiguration { return .tlsFiles }
        return isAboutCredentials ? .credentials : .broker
    }

    private var remedy: String {
        if isAboutCredentials {
            return "check the user name and password of --credentials-file, or pass it where the "
                + "broker asks for them, and the broker's own list of users"
        }
        switch error.code {
        case .unreachable:
            return "start the broker, or name the right host and port with --broker"
        case .nameResolutionFailed: return "check the host in the broker's URL, and the DNS"
        case .connectTimeout:
            return "check host, port and firewall: no MQTT broker answers there; another protocol "
                + "may be spoken, or TLS (mqtts://)"
        case .tlsFailed where isAboutOwnCertificate:
            return
                "present a certificate that is valid and that this port of the broker trusts, with "
                + "--cert-file and --key-file ('homeport identity issue'); devices and controllers may "
                + "have ports of their own"
        case .tlsFailed where error.message.contains("has expired"):
            return "renew the broker's certificate, or set the clock of this machine"
        case .tlsFailed:
            return "name the authority that issued the broker's certificate with --ca-file, and "
                + "its name with --tls-server-name; use mqtt:// for a port without TLS"
        case .tlsConfiguration:
            return "name readable PEM files with --ca-file, --cert-file and --key-file"
        case .insecureConnection: return "use mqtts://"
        case .unsupported: return "allow it in the broker's configuration"
        case .connectionLost, .protocolViolation, .serverDisconnected:
            return "check the port: another protocol, or TLS, is spoken there; use mqtts:// for TLS"
        default: return "look for the cause in the broker's log"
        }
    }
}
