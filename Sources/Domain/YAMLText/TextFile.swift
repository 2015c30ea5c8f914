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

    /// Puts another text in the place of the file, which keeps its permissions. A crash at any moment leaves the old
    /// or the new text.
    /// - Throws: ``UnreadableTextFile``.
    package func replace(with text: String) throws(UnreadableTextFile) {
        // Where the path is a link, the file that it leads to.
        guard let target = realpath(path, nil) else { throw unreadable }
        defer { free(target) }
        var status = stat()
        guard stat(target, &status) == 0 else { throw unreadable }
        let draft = String(cString: target) + ".new"
        unlink(draft)
        let descriptor = open(
            draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, status.st_mode & 0o777)
        guard descriptor >= 0 else { throw unwritable }
        let isWritten =
            fchmod(descriptor, status.st_mode & 0o777) == 0
            && write(text, to: descriptor) && fsync(descriptor) == 0
        let failure = isWritten ? nil : unwritable
        close(descriptor)
        if let failure {
            unlink(draft)
            throw failure
        }
        guard rename(draft, target) == 0 else { throw unwritable }
    }

    private func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
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

    /// The same for one that writes.
    private var unwritable: UnreadableTextFile {
        let reason = String(cString: strerror(errno))
        return wrong("cannot be written: \(reason); check its path and permissions, and make room")
    }

    private func wrong(_ what: String) -> UnreadableTextFile {
        UnreadableTextFile(description: "the \(purpose) file \(path) \(what)")
    }
}

/// A file of text cannot be read or replaced; the description says why, and what to do.
package struct UnreadableTextFile: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}
