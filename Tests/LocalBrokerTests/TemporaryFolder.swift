import Foundation
import Glibc

/// A fresh folder, mode 0700, removed with everything in it.
final class TemporaryFolder {
    /// Its path.
    let path: String

    /// Makes one.
    init() throws {
        var template = Array("/tmp/homeport-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Trouble(description: "mkdtemp: \(errno)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Makes a folder inside.
    func folder(_ name: String, mode: mode_t = 0o700) throws -> String {
        let folder = "\(path)/\(name)"
        guard mkdir(folder, 0o700) == 0, chmod(folder, mode) == 0 else {
            throw Trouble(description: "mkdir \(folder): \(errno)")
        }
        return folder
    }

    /// Writes a file inside.
    @discardableResult
    func file(_ name: String, _ content: String, mode: mode_t = 0o600) throws -> String {
        let file = "\(path)/\(name)"
        let descriptor = Glibc.open(file, O_WRONLY | O_CREAT | O_TRUNC, mode)
        defer { close(descriptor) }
        let bytes = Array(content.utf8)
        guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count else {
            throw Trouble(description: "write \(file): \(errno)")
        }
        return file
    }

    /// Whether something of that name exists inside.
    func has(_ name: String) -> Bool {
        access("\(path)/\(name)", F_OK) == 0
    }

    /// A test's own surroundings failed it.
    struct Trouble: Error, CustomStringConvertible {
        let description: String
    }
}
