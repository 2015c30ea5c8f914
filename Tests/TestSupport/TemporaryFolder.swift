private import Glibc

/// A folder of one test, for its user alone, removed with everything in it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws(TestSupportError) {
        var template = Array("/tmp/homeport-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw TestSupportError("no temporary folder: errno \(errno)")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { Self.removeTree(path) }

    /// What lies in it, sorted.
    package var names: [String] { Self.names(in: path).sorted() }

    /// Whether something of that name lies in it.
    package func has(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

    /// Makes a folder in it.
    package func folder(_ name: String, mode: UInt32 = 0o700) throws(TestSupportError) -> String {
        let folder = "\(path)/\(name)"
        guard mkdir(folder, 0o700) == 0, chmod(folder, mode) == 0 else {
            throw TestSupportError("cannot make \(folder): errno \(errno)")
        }
        return folder
    }

    /// Writes a file in it.
    @discardableResult
    package func file(
        _ name: String, _ text: String, mode: UInt32 = 0o600
    ) throws(TestSupportError) -> String {
        let file = "\(path)/\(name)"
        try Self.write(Array(text.utf8), to: file, O_TRUNC)
        guard chmod(file, mode) == 0 else { throw TestSupportError("cannot open up \(file)") }
        return file
    }

    /// Adds bytes to a file in it.
    package func append(_ bytes: [UInt8], to name: String) throws(TestSupportError) {
        try Self.write(bytes, to: "\(path)/\(name)", O_APPEND)
    }

    /// The bytes of a file in it.
    package func contents(of name: String) throws(TestSupportError) -> [UInt8] {
        guard let file = fopen("\(path)/\(name)", "re") else {
            throw TestSupportError("cannot read \(name): errno \(errno)")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&part, 1, part.count, file), count > 0 {
            bytes += part.prefix(count)
        }
        return bytes
    }

    /// The text of a file in it.
    package func text(of name: String) throws(TestSupportError) -> String {
        String(decoding: try contents(of: name), as: UTF8.self)
    }

    private static func write(
        _ bytes: [UInt8], to file: String, _ flag: Int32
    ) throws(TestSupportError) {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC | flag, 0o600)
        defer { close(descriptor) }
        guard descriptor >= 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw TestSupportError("cannot write \(file): errno \(errno)")
        }
    }

    private static func removeTree(_ path: String) {
        for name in names(in: path) { removeTree("\(path)/\(name)") }
        remove(path)
    }

    /// The entries of a folder; none of what is only a link to one.
    private static func names(in path: String) -> [String] {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        guard let directory = fdopendir(descriptor) else {
            close(descriptor)
            return []
        }
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
}
