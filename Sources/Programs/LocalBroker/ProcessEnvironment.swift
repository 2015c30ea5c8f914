import Glibc

/// The environment of the process.
package enum ProcessEnvironment {
    /// The value of an environment variable, nil where it is unset or empty.
    package static func value(of name: String) -> String? {
        guard let text = getenv(name) else { return nil }
        let value = String(cString: text)
        return value.isEmpty ? nil : value
    }

    /// The name of the account that the process runs as, nil where it has none.
    static var userName: String? {
        guard geteuid() != 0 else { return "root" }
        var record = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(geteuid(), &record, &buffer, buffer.count, &found) == 0,
            let name = found?.pointee.pw_name
        else { return nil }
        return String(cString: name)
    }
}
