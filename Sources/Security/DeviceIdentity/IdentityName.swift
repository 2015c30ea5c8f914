public import DeviceDomain

/// Whom a certificate is for: the common name of its subject.
public enum IdentityName: Hashable, Sendable {
    /// A device of a home.
    case device(DeviceID, home: HomeID)
    /// A controller.
    case controller(ControllerID)
    /// A broker, by the first name under which its clients reach it.
    case server(String)

    /// `HOME/DEVICE`, the controller's id, or the broker's name.
    public var commonName: String {
        switch self {
        case .device(let device, let home): "\(home)/\(device)"
        case .controller(let controller): controller.text
        case .server(let host): host
        }
    }

    /// What it names.
    public var kind: IdentityKind {
        switch self {
        case .device: .device
        case .controller: .controller
        case .server: .server
        }
    }

    /// Reads the common name of a client; `nil` if it is none of Homeport's.
    public init?(commonName: String) {
        let parts = commonName.split(separator: "/", omittingEmptySubsequences: false)
        switch parts.count {
        case 1:
            guard let controller = ControllerID(rawValue: commonName) else { return nil }
            self = .controller(controller)
        case 2:
            guard let home = HomeID(rawValue: String(parts[0])),
                let device = DeviceID(rawValue: String(parts[1]))
            else { return nil }
            self = .device(device, home: home)
        default: return nil
        }
    }
}

extension IdentityName: CustomStringConvertible {
    public var description: String { commonName }
}

extension IdentityName: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.commonName < right.commonName }
}

/// What a certificate's name names.
public enum IdentityKind: String, Hashable, Sendable, CaseIterable {
    /// A client of a broker.
    case device, controller
    /// A broker.
    case server

    /// The kinds of clients, each of which has an issuer and a listener of its own.
    static let clients: [IdentityKind] = [.device, .controller]

    /// The kind whose issuer has issued the certificate.
    var issuer: IdentityKind {
        switch self {
        case .device: .device
        case .controller, .server: .controller
        }
    }
}
