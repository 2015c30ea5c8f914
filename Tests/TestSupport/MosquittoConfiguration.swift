private import Glibc

/// The configuration file of a test's broker, removed with its owner.
final class MosquittoConfiguration: Sendable {
    let path: String

    init(port: UInt16, lines: [String]) throws(TestSupportError) {
        var template = Array("/tmp/homeport-mosquitto-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw TestSupportError("no temporary file: errno \(errno)") }
        path = template.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
        var text = """
            listener \(port) 127.0.0.1
            set_tcp_nodelay true
            user \(Self.currentUser)
            persistence false
            log_dest stderr
            log_type error
            log_type warning
            log_type information

            """
        if !lines.contains(where: { $0.contains("allow_anonymous") }) {
            text += "allow_anonymous true\n"
        }
        text += lines.joined(separator: "\n") + "\n"
        let written = text.utf8.withContiguousStorageIfAvailable {
            write(descriptor, $0.baseAddress, $0.count)
        }
        close(descriptor)
        guard written == text.utf8.count else {
            throw TestSupportError("the broker's configuration could not be written")
        }
    }

    deinit {
        unlink(path)
    }

    private static var currentUser: String {
        guard let entry = getpwuid(getuid()) else { return "root" }
        return String(cString: entry.pointee.pw_name)
    }
}
