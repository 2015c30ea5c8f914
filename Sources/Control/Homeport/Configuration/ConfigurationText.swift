#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The text of a configuration file.
struct ConfigurationText {
    /// Bytes of a file at most.
    private static let largest = 1 << 20

    private let path: String

    init(path: String) { self.path = path }

    /// Reads the text. Blocks on the file system; a pipe is refused without waiting for its writer.
    /// - Throws: ``HomeError`` `configurationFile`.
    func text() throws(HomeError) -> String {
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

    private func checkKind(of descriptor: Int32) throws(HomeError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: throw wrong("is a folder; name the file in it")
        default: throw notRegular
        }
    }

    private func contents(of descriptor: Int32) throws(HomeError) -> [UInt8] {
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
        throw wrong("is larger than 1 MiB; name a configuration file")
    }

    // MARK: Errors

    private var notRegular: HomeError {
        wrong("is not a regular file; write the configuration into a file, and name that")
    }

    /// The error of a system call that has just failed.
    private var unreadable: HomeError {
        let reason = String(cString: strerror(errno))
        return wrong("cannot be read: \(reason); check its path and permissions")
    }

    private func wrong(_ what: String) -> HomeError {
        HomeError(.configurationFile, "the configuration file \(path) \(what)")
    }
}
