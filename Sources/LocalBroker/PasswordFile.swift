import Glibc
import Subprocess

/// The file with a hashed password that a starting broker reads, in a folder that only we can enter.
///
/// It is removed as soon as the broker has read it.
struct PasswordFile: Sendable {
    /// Where the broker finds it.
    let path: String
    private let folder: String

    /// Writes the file, hashed by `mosquitto_passwd`, which reads the password from the file: on a
    /// command line every local user could read it.
    ///
    /// - Throws: ``LocalBrokerError`` where the file cannot be written or hashed.
    static func make(
        for credentials: BrokerCredentials
    ) async throws(LocalBrokerError) -> PasswordFile {
        let file = PasswordFile(folder: try makeFolder())
        do throws(LocalBrokerError) {
            try file.write("\(credentials.username):\(credentials.password)\n")
            try await file.hash()
        } catch {
            file.remove()
            throw error
        }
        return file
    }

    private init(folder: String) {
        self.folder = folder
        path = folder + "/passwords"
    }

    /// Removes the file; nothing happens where it has been removed before.
    func remove() {
        unlink(path)
        rmdir(folder)
    }

    /// A folder of mode 0700 in the temporary one.
    private static func makeFolder() throws(LocalBrokerError) -> String {
        let parent = ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp"
        var template = Array("\(parent)/homeport-broker-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw PrivateFolder.refused("make a folder in", parent)
        }
        let bytes = template.dropLast().map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(_ text: String) throws(LocalBrokerError) {
        let file = Descriptor(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        let bytes = Array(text.utf8)
        guard file.isOpen, Glibc.write(file.number, bytes, bytes.count) == bytes.count else {
            throw PrivateFolder.refused("write", path)
        }
    }

    private func hash() async throws(LocalBrokerError) {
        do {
            let result = try await Subprocess.run(
                .name("mosquitto_passwd"), arguments: ["-U", path], output: .discarded,
                error: .string(limit: 4096))
            guard result.terminationStatus.isSuccess else {
                throw Self.failure(result.standardError)
            }
        } catch let error as LocalBrokerError {
            throw error
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw LocalBrokerError(
                .mosquittoMissing,
                "no mosquitto_passwd program found to protect a private broker; install it with "
                    + "`apt-get install mosquitto`, or name a running broker with --broker URL",
                underlying: error)
        } catch {
            throw Self.failure("\(error)")
        }
    }

    private static func failure(_ reason: String) -> LocalBrokerError {
        LocalBrokerError(
            .startFailed,
            "mosquitto_passwd could not hash the private broker's password: \(reason); name a running "
                + "broker with --broker URL instead")
    }
}
