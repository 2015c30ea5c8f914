import Glibc
import MQTTClient

/// A file with the user name and password for the broker.
///
/// Two lines, `username=NAME` and `password=SECRET`; everything behind the sign belongs to the
/// value. Empty lines and lines that begin with `#` are skipped. The file must belong to the user
/// and be closed to everybody else (mode 0600 or 0400).
enum CredentialsFile {
    private static let largestSize = 64 * 1024

    /// Reads the file.
    /// - Throws: ``Failure`` with ``VerbStatus/usage``, saying what to change.
    static func read(_ path: String) throws(Failure) -> MQTTCredentials {
        try credentials(in: contents(of: path), of: path)
    }

    private static func contents(of path: String) throws(Failure) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw .usage(
                "cannot read credentials file \(path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        try checkPrivacy(of: descriptor, path: path)
        var bytes = [UInt8](repeating: 0, count: largestSize + 1)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0, count <= largestSize,
            let text = String(validating: bytes.prefix(count), as: UTF8.self)
        else { throw .usage("credentials file \(path) is too large or not UTF-8 text") }
        return text
    }

    private static func checkPrivacy(of descriptor: Int32, path: String) throws(Failure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .usage("credentials file \(path) is not a regular file")
        }
        guard status.st_uid == geteuid() else {
            throw .usage("credentials file \(path) belongs to another user: use one of your own")
        }
        guard status.st_mode & 0o177 == 0 else {
            throw .usage(
                "credentials file \(path) is open to others: run chmod 600 \(path)")
        }
    }

    /// Reads the text of such a file.
    static func credentials(in text: String, of path: String) throws(Failure) -> MQTTCredentials {
        var values: [Substring: String] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated() where !line.isEmpty && !line.hasPrefix("#")
        {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, ["username", "password"].contains(parts[0]),
                values.updateValue(String(parts[1]), forKey: parts[0]) == nil
            else {
                throw .usage(
                    "credentials file \(path), line \(index + 1): "
                        + "expected one username=… and one password=…")
            }
        }
        return try credentials(values, of: path)
    }

    private static func credentials(
        _ values: [Substring: String], of path: String
    ) throws(Failure) -> MQTTCredentials {
        guard let username = values["username"], !username.isEmpty else {
            throw .usage("credentials file \(path) has no username=… line")
        }
        do {
            return try MQTTCredentials(username: username, password: values["password"])
        } catch {
            throw .usage("credentials file \(path): \(error.message)")
        }
    }
}
