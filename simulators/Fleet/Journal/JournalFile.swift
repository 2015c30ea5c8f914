import Glibc

/// An append-only file with one writer: one `write` per batch.
///
/// What `write` has taken belongs to the kernel and survives the end of the process, SIGKILL
/// included, so acknowledgements may leave after it. It is not forced to the disk: after a power
/// cut, devices may have forgotten the commands of the last seconds.
struct JournalFile: Sendable {
    /// What the one file of all devices was named up to version 0.1.0.
    static let formerName = "devices.journal"
    /// What the name of a file ends with that is to replace another.
    static let draftSuffix = ".new"

    /// Where it is.
    let path: String
    /// Its length in bytes.
    private(set) var size: Int
    private let descriptor: OwnedDescriptor

    /// Opens or makes the file, and holds it until the last owner of this value is gone.
    /// - Throws: ``SystemFailure``; `EWOULDBLOCK` where another process holds it.
    init(path: String, truncating: Bool = false) throws(SystemFailure) {
        descriptor = try OwnedDescriptor(opening: path, O_RDWR | O_CREAT | O_APPEND)
        self.path = path
        size = 0
        guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else { throw .last }
        // A file that its last owner has replaced meanwhile is not the one of that name any more.
        guard isNamed else { throw SystemFailure(number: EWOULDBLOCK) }
        if truncating { try truncate(to: 0) }
        size = Int(lseek(descriptor.number, 0, SEEK_END))
        guard size >= 0 else { throw .last }
    }

    private var isNamed: Bool {
        var (named, opened) = (stat(), stat())
        return stat(path, &named) == 0 && fstat(descriptor.number, &opened) == 0
            && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
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

    /// Forces what was written to the disk.
    func synchronize() throws(SystemFailure) {
        guard fsync(descriptor.number) == 0 else { throw .last }
    }

    /// Renames the file to `name`, replacing what is there.
    consuming func placed(at name: String) throws(SystemFailure) -> JournalFile {
        guard rename(path, name) == 0 else { throw .last }
        return JournalFile(path: name, size: size, descriptor: descriptor)
    }

    private init(path: String, size: Int, descriptor: OwnedDescriptor) {
        self.path = path
        self.size = size
        self.descriptor = descriptor
    }
}
