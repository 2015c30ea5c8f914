import Basics
import Glibc
import LocalServices
import Subprocess
import SystemPackage

/// The files by which a starting broker knows who may connect and do what, in a folder that only we can
/// enter.
///
/// They are removed as soon as the broker has read them.
struct AccessFiles: Sendable {
    /// Where the broker finds the hashed passwords.
    let passwords: String
    /// Where the broker finds the access control.
    let accessControl: String
    private let folder: String

    /// Writes the files. The passwords are hashed by `mosquitto_passwd`, which reads them from the file: on
    /// a command line every local user could read them.
    ///
    /// - Throws: ``LocalServicesError`` where a file cannot be written or hashed.
    static func make(
        for users: [BrokerCredentials], _ accessControl: String
    ) async throws(LocalServicesError) -> AccessFiles {
        let file = AccessFiles(folder: try makeFolder())
        do throws(LocalServicesError) {
            let lines = users.map { "\($0.username):\($0.password)\n" }
            try write(lines.joined(), to: file.passwords)
            try write(accessControl, to: file.accessControl)
            try await file.hash()
        } catch {
            file.remove()
            throw error
        }
        return file
    }

    private init(folder: String) {
        self.folder = folder
        passwords = folder + "/passwords"
        accessControl = folder + "/acl"
    }

    /// Removes the files; nothing happens where they have been removed before.
    func remove() {
        unlink(passwords)
        unlink(accessControl)
        rmdir(folder)
    }

    /// A folder of mode 0700 in the temporary one.
    private static func makeFolder() throws(LocalServicesError) -> String {
        let parent = ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp"
        var template = Array("\(parent)/homeport-broker-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw refused("make a folder in", parent, Errno(rawValue: errno))
        }
        let bytes = template.dropLast().map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func write(_ text: String, to path: String) throws(LocalServicesError) {
        do {
            let file = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
            _ = try file.closeAfter { try file.writeAll(text.utf8) }
        } catch { throw refused("write", path, error) }
    }

    private static func refused(
        _ what: String, _ path: String, _ failure: any Error
    ) -> LocalServicesError {
        LocalServicesError(.system, "cannot \(what) \(path): \(failure)", underlying: failure)
    }

    private func hash() async throws(LocalServicesError) {
        do {
            let result = try await Subprocess.run(
                .name("mosquitto_passwd"), arguments: ["-U", passwords], output: .discarded,
                error: .string(limit: 4096))
            guard result.terminationStatus.isSuccess else {
                throw Self.failure(result.standardError)
            }
        } catch let error as LocalServicesError {
            throw error
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw LocalServicesError(
                .mosquittoMissing,
                "no mosquitto_passwd program found to protect a private broker; install it with "
                    + "`apt-get install mosquitto`, or name a running broker with --broker URL",
                underlying: error)
        } catch {
            throw Self.failure("\(error)")
        }
    }

    private static func failure(_ reason: String) -> LocalServicesError {
        LocalServicesError(
            .startFailed,
            "mosquitto_passwd could not hash the private broker's password: \(reason); name a running "
                + "broker with --broker URL instead")
    }
}
