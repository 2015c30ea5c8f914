import Glibc
import TestSupport

/// A text file of a test, removed with its owner.
final class TemporaryText: Sendable {
    let path: String

    init(_ text: String) throws {
        var template = Array("/tmp/homeport-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw TestSupportError("no temporary file") }
        defer { close(descriptor) }
        // The broker may run as another user.
        fchmod(descriptor, 0o644)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let bytes = Array(text.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            throw TestSupportError("the temporary file cannot be written")
        }
    }

    deinit { unlink(path) }
}
