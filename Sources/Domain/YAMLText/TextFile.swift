#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A file of text that people write.
package struct TextFile {
    /// Bytes of a file at most.
    private static let largest = 1 << 20

    private let path: String
    /// What it is for, such as `configuration`.
    private let purpose: String

    /// - Parameter purpose: what it is for, as messages name it: `configuration` makes "the configuration file".
    package init(path: String, for purpose: String) {
        self.path = path
        self.purpose = purpose
    }

    /// Reads the text. Blocks on the file system; a pipe is refused without waiting for its writer.
    /// - Throws: ``UnreadableTextFile``.
    package func text() throws(UnreadableTextFile) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            // ENXIO: a socket, or a device that is not there.
            throw errno == ENXIO ? notRegular : unreadable
        }
        defer { close(descriptor) }
        try checkKind(of: descriptor)
        var bytes = try contents(of: descriptor)[...]
        // Some editors write a byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw wrong("is not UTF-8 text; save it as UTF-8, or name another file")
        }
        return text
    }

    private func checkKind(of descriptor: Int32) throws(UnreadableTextFile) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: throw wrong("is a folder; name the file in it")
        default: throw notRegular
        }
    }

    private func contents(of descriptor: Int32) throws(UnreadableTextFile) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.largest + 1)
        var count = 0
        while count < bytes.count {
            let part = bytes.withUnsafeMutableBytes { buffer in
                read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
            }
            guard part >= 0 else { throw unreadable }
            guard part > 0 else { return Array(bytes.prefix(count)) }
            count += part
        }
        throw wrong("is larger than 1 MiB; name a \(purpose) file")
    }

    // MARK: Errors

    private var notRegular: UnreadableTextFile {
        wrong("is not a regular file; write the \(purpose) into a file, and name that")
    }

    /// The error of a system call that has just failed.
    private var unreadable: UnreadableTextFile {
        let reason = String(cString: strerror(errno))
        return wrong("cannot be read: \(reason); check its path and permissions")
    }

    private func wrong(_ what: String) -> UnreadableTextFile {
        UnreadableTextFile(description: "the \(purpose) file \(path) \(what)")
    }
}

/// A file of text cannot be read; the description says why, and what to do.
package struct UnreadableTextFile: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}
