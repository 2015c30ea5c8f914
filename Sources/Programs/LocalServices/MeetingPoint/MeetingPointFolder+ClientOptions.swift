import Glibc
import SystemPackage

/// Options of mosquitto's clients, in the folder `PID.clients` beside the entry `PID.json`. They read them
/// where `XDG_CONFIG_HOME` names the folder; as arguments every local user could read the password.
extension MeetingPointFolder {
    /// The programs that look for a file of their name.
    private static let clients = ["mosquitto_pub", "mosquitto_rr", "mosquitto_sub"]

    /// The name of the folder of a process.
    static func clientFolder(of process: some StringProtocol) -> String { "\(process).clients" }

    /// Writes the options for each client, for this user only.
    func writeClientOptions(_ options: String, of process: Int32) throws(LocalServicesError) {
        let folder = try child(Self.clientFolder(of: "\(process)"), creating: true)
        for name in Self.clients {
            do throws(Errno) {
                _ = try folder.make(name, Array(options.utf8))
            } catch { throw Self.refused("write", "\(folder.path)/\(name)", error) }
        }
    }

    /// Removes the options of a process; nothing happens where there are none.
    func removeClientOptions(of process: some StringProtocol) {
        let name = Self.clientFolder(of: process)
        for client in Self.clients { unlinkat(descriptor.number, "\(name)/\(client)", 0) }
        unlinkat(descriptor.number, name, AT_REMOVEDIR)
    }
}
