import Glibc

/// An append-only file: one `write` per batch.
///
/// What `write` has taken belongs to the kernel and survives the end of the process, SIGKILL
/// included, so acknowledgements may leave after it. It is not forced to the disk: after a power
/// cut, devices may have forgotten the commands of the last seconds.
struct JournalFile: Sendable {
    static let name = "devices.journal"
    static let draftName = "devices.journal.new"

    /// Where it is.
    let path: String
    /// Its length in bytes.
    private(set) var size: Int
    private let descriptor: OwnedDescriptor

    /// Opens or makes the file.
    /// - Throws: ``SystemFailure``.
    init(path: String, truncating: Bool = false) throws(SystemFailure) {
        let flags = O_RDWR | O_CREAT | O_APPEND | (truncating ? O_TRUNC : 0)
        descriptor = try OwnedDescriptor(opening: path, flags)
        self.path = path
        size = Int(lseek(descriptor.number, 0, SEEK_END))
        guard size >= 0 else { throw .last }
    }

    /// The whole file.
    func contents() throws(SystemFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        var filled = 0
        while filled < size {
            let count = bytes[filled...].withUnsafeMutableBytes {
                pread(descriptor.number, $0.baseAddress, $0.count, off_t(filled))
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            guard count > 0 else { break }
            filled += count
        }
        return Array(bytes.prefix(filled))
    }

    /// Cuts off what lies beyond `length`.
    mutating func truncate(to length: Int) throws(SystemFailure) {
        guard ftruncate(descriptor.number, off_t(length)) == 0 else { throw .last }
        size = length
    }

    /// Appends all of `bytes` or nothing of them.
    mutating func append(_ bytes: [UInt8]) throws(SystemFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                write(descriptor.number, $0.baseAddress, $0.count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                let failure = SystemFailure.last
                _ = ftruncate(descriptor.number, off_t(size))
                throw failure
            }
            written += count
        }
        size += written
    }

    /// Forces the file to the disk and renames it to `name`, replacing what is there.
    consuming func placed(at name: String) throws(SystemFailure) -> JournalFile {
        guard fsync(descriptor.number) == 0, rename(path, name) == 0 else { throw .last }
        return JournalFile(path: name, size: size, descriptor: descriptor)
    }

    private init(path: String, size: Int, descriptor: OwnedDescriptor) {
        self.path = path
        self.size = size
        self.descriptor = descriptor
    }
}
