internal import Glibc

/// Keeps what one boxed device remembers in a file, which is replaced as a whole.
struct BoxedStore: Sendable {
    private static let name = "box.json"

    /// The device's folder.
    let folder: String

    private var path: String { "\(folder)/\(Self.name)" }

    /// What was saved; a new record where nothing was.
    /// - Throws: ``BoxedDeviceError`` if the file cannot be read, or holds something else.
    func load() throws(BoxedDeviceError) -> BoxedRecord {
        guard access(path, F_OK) == 0 else { return BoxedRecord() }
        guard let bytes = contents() else { throw unusable("read", path) }
        guard let record = BoxedRecord(json: bytes) else {
            throw BoxedDeviceError(
                "\(path) is damaged: remove it to have the device as it came from the factory")
        }
        return record
    }

    /// Makes a record durable: old or new, never mixed.
    /// - Throws: ``BoxedDeviceError`` if it cannot be written.
    func save(_ record: BoxedRecord) throws(BoxedDeviceError) {
        try replace(Self.name, by: record.json)
    }

    /// Writes a file that only this user can read, and returns its path.
    func keep(_ name: String, _ text: String) throws(BoxedDeviceError) -> String {
        try replace(name, by: Array(text.utf8))
        return "\(folder)/\(name)"
    }

    private func replace(_ name: String, by bytes: [UInt8]) throws(BoxedDeviceError) {
        let draft = "\(folder)/\(name).new"
        let file = Glibc.open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw unusable("write", draft) }
        let isWritten = write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        close(file)
        guard isWritten, rename(draft, "\(folder)/\(name)") == 0 else {
            throw unusable("write", "\(folder)/\(name)")
        }
        let directory = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw unusable("open", folder) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw unusable("write", folder) }
    }

    private func contents() -> [UInt8]? {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(file, &buffer, buffer.count)
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    private func unusable(_ deed: String, _ path: String) -> BoxedDeviceError {
        BoxedDeviceError(
            "cannot \(deed) \(path): \(String(cString: strerror(errno))); free disk space, fix its "
                + "permissions, or name another directory with --journal")
    }
}

/// A boxed device could not go on.
package struct BoxedDeviceError: Error, Sendable, CustomStringConvertible {
    /// What happened, and what to do.
    package let message: String

    init(_ message: String) { self.message = message }

    package var description: String { message }
}
