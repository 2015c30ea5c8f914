private import Glibc

/// A file that OpenSSL is about to read: it would not say what is wrong with it.
struct TLSFile {
    let path: String
    let role: String

    init(_ path: String, _ role: String) {
        self.path = path
        self.role = role
    }

    /// Throws `tlsConfiguration` unless the file can be read and has contents. A secret one must be
    /// closed to users outside its group.
    func check(isSecret: Bool = false) throws(MQTTError) {
        try MQTTString.validate(path, as: "path of a TLS file")
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
            throw .tls(
                "\(role) \(path) cannot be read (\(MQTTError.text(of: errno))): check the path and "
                    + "its permissions")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .tls("\(role) \(path) is not a regular file: name a PEM file")
        }
        guard status.st_size > 0 else { throw .tls("\(role) \(path) is empty: name a PEM file") }
        guard !isSecret || status.st_mode & 0o007 == 0 else {
            throw .tls("\(role) \(path) is open to every user: run chmod o-rwx \(path)")
        }
    }
}

extension MQTTError {
    /// What the configuration names for TLS cannot be used.
    static func tls(_ message: String, file: String = #fileID, line: Int = #line) -> MQTTError {
        MQTTError(.tlsConfiguration, "TLS: \(message)", file: file, line: line)
    }
}
