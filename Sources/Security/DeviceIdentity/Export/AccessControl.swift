internal import DeviceDomain
internal import DeviceTopics

/// The access control of a home's broker, in the form of mosquitto's `acl_file`. The user's name is the
/// certificate's common name.
struct AccessControl: Sendable {
    let home: HomeID
    /// Controllers with a certificate that is accepted.
    let controllers: [ControllerID]
    /// Devices whose certificates were taken back. Their sessions may go on until the broker ends them.
    let barred: [IdentityName]
    /// Who may ask the broker to end connections.
    let administrator: String

    /// Where mosquitto's plugin for dynamic security takes commands.
    static let administrationTopic = "$CONTROL/dynamic-security/v1"

    /// The contents of the file.
    var text: String {
        let blocks =
            [BrokerAccess.devices(of: [home])] + barred.map { BrokerAccess.barred($0.commonName) }
            + controllers.map { BrokerAccess.controller($0, of: home) }
            + [["user \(administrator)", "topic write \(Self.administrationTopic)"]]
        return blocks.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }
}
