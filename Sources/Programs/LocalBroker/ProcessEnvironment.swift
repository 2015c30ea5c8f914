import Basics
import Glibc

extension ProcessEnvironment {
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
