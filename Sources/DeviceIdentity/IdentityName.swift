public import DeviceDomain

/// Whom a certificate is for: the common name of its subject.
public enum IdentityName: Hashable, Sendable {
    /// A device of a home.
    case device(DeviceID, home: HomeID)
    /// A controller.
    case controller(ControllerID)

    /// `HOME/DEVICE`, or the controller's id.
    public var commonName: String {
        switch self {
        case .device(let device, let home): "\(home)/\(device)"
        case .controller(let controller): controller.text
        }
    }

    /// What it names.
    public var kind: IdentityKind {
        switch self {
        case .device: .device
        case .controller: .controller
        }
    }

    /// Reads a common name; `nil` if it is none of Homeport's.
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

/// What a certificate's name names. Each kind has an issuer and a listener of its own.
public enum IdentityKind: String, Hashable, Sendable, CaseIterable {
    case device, controller
}
