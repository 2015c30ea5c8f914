internal import Glibc

extension String {
    /// The first bytes of a file that others may read, too; none where it cannot be read.
    init(beginningOf path: String, bytes limit: Int) {
        self = ""
        // So that no pipe is waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return }
        self = String(decoding: bytes[..<count], as: UTF8.self)
    }
}
