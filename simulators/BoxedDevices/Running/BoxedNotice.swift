/// An event that is reported to the user; its description is one line of text.
package enum BoxedNotice: Sendable {
    /// The access point of a device listens.
    case boxed(BoxedStatus)
    /// A device came into a home in an earlier run, and looks for its broker there.
    case returning(device: String, home: String, broker: String?)
    /// A device is on its broker.
    case joined(device: String, home: String)
    /// A device left its home, for its claim was not committed in time.
    case left(device: String, home: String)
    /// A device could not stay on its broker.
    case refused(device: String, home: String, reason: String)
    /// Something that happened to a device on its broker.
    case other(String)
}

/// A device with an open access point.
package struct BoxedStatus: Sendable {
    /// `HOME/NAME`.
    package let device: String
    /// The address of the access point.
    package let accessPoint: String
    /// The text of the QR code on the device's label.
    package let label: String
}

extension BoxedNotice: CustomStringConvertible {
    package var description: String {
        switch self {
        case .boxed(let status):
            "boxed \(status.device) \(status.accessPoint) \(status.label)"
        case .returning(let device, let home, let broker):
            "\(device) is in the home already, as \(home), and looks for "
                + (broker.map { "its broker at \($0)" } ?? "the broker of this fleet")
                + "; its access point stays closed"
        case .joined(let device, let home): "\(device) joined \(home)"
        case .left(let device, let home):
            "\(device) left \(home): nobody committed its claim in time; its access point opens again"
        case .refused(let device, let home, let reason): "\(device) cannot join \(home): \(reason)"
        case .other(let text): text
        }
    }
}
