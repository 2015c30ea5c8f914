import Glibc
import TestSupport

/// A folder of one test, removed with the files in it.
final class ScratchFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/homeport-end-to-end-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw TestSupportError("no temporary folder: \(errno)")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// What lies in it.
    var names: [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// The text of a file in it.
    func text(of name: String) throws -> String {
        guard let file = fopen("\(path)/\(name)", "r") else {
            throw TestSupportError("cannot read \(name): \(errno)")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&part, 1, part.count, file), count > 0 {
            bytes += part.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
