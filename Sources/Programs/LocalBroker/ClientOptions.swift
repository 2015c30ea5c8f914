import Glibc

/// Options of mosquitto's clients, in the folder `PID.clients` beside the entry `PID.json`. They read them
/// where `XDG_CONFIG_HOME` names the folder; as arguments every local user could read the password.
extension PrivateFolder {
    /// The programs that look for a file of their name.
    private static let clients = ["mosquitto_pub", "mosquitto_rr", "mosquitto_sub"]

    /// The name of the folder of a process.
    static func clientFolder(of process: some StringProtocol) -> String { "\(process).clients" }

    /// Writes the options for each client, for this user only.
    func writeClientOptions(_ options: String, of process: Int32) throws(LocalBrokerError) {
        let folder = try child(Self.clientFolder(of: "\(process)"), creating: true)
        let bytes = Array(options.utf8)
        for name in Self.clients {
            unlinkat(folder.descriptor.number, name, 0)
            let file = Descriptor(
                openat(
                    folder.descriptor.number, name,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600))
            guard file.isOpen, Glibc.write(file.number, bytes, bytes.count) == bytes.count else {
                throw Self.refused("write", "\(folder.path)/\(name)")
            }
        }
    }

    /// Removes the options of a process; nothing happens where there are none.
    func removeClientOptions(of process: some StringProtocol) {
        let name = Self.clientFolder(of: process)
        for client in Self.clients { unlinkat(descriptor.number, "\(name)/\(client)", 0) }
        unlinkat(descriptor.number, name, AT_REMOVEDIR)
    }
}
