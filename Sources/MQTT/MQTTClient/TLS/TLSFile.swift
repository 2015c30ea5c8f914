private import Glibc

/// Checks a file before OpenSSL reads it, whose errors do not say what is wrong with it.
package struct TLSFile {
    let path: String
    let role: String

    /// - Parameter role: what the file is, for messages.
    package init(_ path: String, _ role: String) {
        self.path = path
        self.role = role
    }

    /// Throws `tlsConfiguration` unless the file is readable and not empty. A secret one must not be
    /// readable by users outside its group.
    package func check(isSecret: Bool = false) throws(MQTTError) {
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

/// Tells whether the files of a configuration are still those that were read.
struct TLSFileStamp: Hashable, Sendable {
    private struct Mark: Hashable {
        let device: UInt
        let number: UInt
        let seconds: Int
        let nanoseconds: Int
    }

    private let marks: [Mark?]

    /// Looks at the files without reading them. Blocks on the file system, as briefly as that can be.
    init(_ configuration: MQTTTLSConfiguration) {
        let paths = [
            configuration.authorityFile, configuration.certificateFile, configuration.keyFile,
        ]
        marks = paths.map { path in
            var status = stat()
            guard let path, stat(path, &status) == 0 else { return nil }
            return Mark(
                device: status.st_dev, number: status.st_ino, seconds: status.st_mtim.tv_sec,
                nanoseconds: status.st_mtim.tv_nsec)
        }
    }
}

extension MQTTError {
    /// A file or name of the TLS configuration cannot be used.
    static func tls(_ message: String, file: String = #fileID, line: Int = #line) -> MQTTError {
        MQTTError(.tlsConfiguration, "TLS: \(message)", file: file, line: line)
    }
}
