import Glibc

@testable import Fleet

/// A directory of a test, removed with it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/homeport-fleet-tests-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("no temporary directory") }
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
        return names.sorted()
    }

    /// The bytes of a file in it.
    func contents(of name: String) throws -> [UInt8] {
        try JournalFile(path: "\(path)/\(name)").contents()
    }

    /// Adds bytes to a file in it.
    func append(_ bytes: [UInt8], to name: String) throws {
        var file = try JournalFile(path: "\(path)/\(name)")
        try file.append(bytes)
    }
}
