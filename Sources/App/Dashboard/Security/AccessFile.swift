internal import Keychain

/// Keeps the host name of a dashboard and the browsers that are signed in, in a file that its user alone can
/// read. Who listens on the address owns the file, so that no lock is needed.
struct AccessFile: Sendable {
    private let file: PrivateFile

    /// The file `$XDG_STATE_HOME/homeport/dashboard/HOST:PORT` of an address.
    /// - Throws: ``KeychainError`` `unavailable` where the user has no home folder.
    init(of address: DashboardAddress) throws(KeychainError) {
        self.init(path: "\(try StandardKeychain.stateFolder())/homeport/dashboard/\(address)")
    }

    init(path: String) { file = PrivateFile(path: path) }

    /// What was kept. Where nothing was, a new record is made and kept. Blocks on the file system.
    /// - Throws: ``KeychainError`` `unsafe`, `damaged`, `system`.
    func record() throws(KeychainError) -> AccessRecord {
        guard let contents = try file.read() else {
            let record = AccessRecord()
            try write(record)
            return record
        }
        let text = contents.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        guard let record = AccessRecord(text) else {
            throw KeychainError(
                .damaged,
                "\(file.path) does not contain what the dashboard writes there; remove it, then every "
                    + "browser must sign in again")
        }
        return record
    }

    /// Replaces what is kept. Returns when it is on the disk.
    /// - Throws: ``KeychainError`` `unsafe`, `system`.
    func write(_ record: AccessRecord) throws(KeychainError) {
        try file.write(Secret(Array(record.text.utf8)))
    }
}
