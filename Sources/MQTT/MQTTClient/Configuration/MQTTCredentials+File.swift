private import Glibc

extension MQTTCredentials {
    private static let largestFile = 64 * 1024

    /// Reads a file of at most 64 KiB with two lines, `username=NAME` and `password=SECRET`; the second
    /// may be missing. Everything after the equals sign is the value. Empty lines and lines that begin
    /// with `#` are skipped. Blocks on the file system.
    ///
    /// Throws `invalidArgument` for a file in another format, and for one that does not belong to the user of
    /// this process or is accessible to others (allowed are the modes 0600 and 0400). The message contains
    /// nothing of the contents.
    public init(contentsOfFile path: String) throws(MQTTError) {
        try self.init(text: Self.text(of: path), named: path)
    }

    /// Reads the text of such a file.
    /// - Parameter path: where it came from, for messages.
    package init(text: String, named path: String) throws(MQTTError) {
        var values: [Substring: String] = [:]
        // Editors of other systems end lines with CR and LF, and begin a file with a byte order mark.
        let lines = (text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...])
            .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, ["username", "password"].contains(parts[0]),
                values.updateValue(String(parts[1]), forKey: parts[0]) == nil
            else {
                throw .invalid(
                    "credentials file \(path), line \(index + 1): "
                        + "expected one username=… and one password=…")
            }
        }
        guard let username = values["username"], !username.isEmpty else {
            throw .invalid("credentials file \(path) has no username=… line")
        }
        do {
            try self.init(username: username, password: values["password"])
        } catch {
            throw .invalid("credentials file \(path): \(error.message)")
        }
    }

    private static func text(of path: String) throws(MQTTError) -> String {
        try MQTTString.validate(path, as: "path of a credentials file")
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw .invalid(
                "credentials file \(path) cannot be read (\(MQTTError.text(of: errno))): check the path "
                    + "and its permissions")
        }
        defer { close(descriptor) }
        try checkPrivacy(of: descriptor, path: path)
        var bytes = [UInt8](repeating: 0, count: largestFile + 1)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0, count <= largestFile,
            let text = String(validating: bytes.prefix(count), as: UTF8.self)
        else { throw .invalid("credentials file \(path) is too large or not UTF-8 text") }
        return text
    }

    private static func checkPrivacy(of descriptor: Int32, path: String) throws(MQTTError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .invalid("credentials file \(path) is not a regular file")
        }
        guard status.st_uid == geteuid() else {
            throw .invalid("credentials file \(path) belongs to another user: use one of your own")
        }
        guard status.st_mode & 0o177 == 0 else {
            throw .invalid("credentials file \(path) is open to others: run chmod 600 \(path)")
        }
    }
}
