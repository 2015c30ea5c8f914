import Glibc
import SystemPackage

/// A file descriptor that is closed at the end of its owner's life.
struct UniqueDescriptor: ~Copyable {
    /// The open file.
    let file: FileDescriptor
    /// The number that the kernel gave.
    var number: Int32 { file.rawValue }

    /// Takes over what a system call returned.
    /// - Throws: the `errno` of that call if it failed.
    init(_ number: Int32) throws(Errno) {
        guard number >= 0 else { throw .last }
        file = FileDescriptor(rawValue: number)
    }

    /// Opens a file in a folder. It is not handed on to child processes, and not followed where it is a
    /// symbolic link.
    init(_ name: String, in folder: Int32, _ flags: Int32, mode: mode_t = 0) throws(Errno) {
        try self.init(openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC, mode))
    }

    deinit {
        // Nothing can be done about it here, and what was written is checked by its writer.
        try? file.close()
    }

    /// Writes all bytes.
    func write(_ bytes: [UInt8]) throws(Errno) {
        do { try file.writeAll(bytes) } catch { throw error as? Errno ?? .ioError }
    }

    /// The state of the file.
    func status() throws(Errno) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .last }
        return status
    }

    /// Takes or gives back a lock of `flock`.
    func lock(_ operation: Int32) throws(Errno) {
        guard flock(number, operation) == 0 else { throw .last }
    }
}

extension Errno {
    /// The failure of the system call that has just returned.
    static var last: Errno { Errno(rawValue: errno) }
}
