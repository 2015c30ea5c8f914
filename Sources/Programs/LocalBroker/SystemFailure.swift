import Glibc

/// An `errno` value with its text.
struct SystemFailure: Error, Equatable, CustomStringConvertible {
    /// The number, as in `errno.h`.
    let number: Int32

    /// The failure of the call that has just returned.
    static var last: SystemFailure { SystemFailure(number: errno) }

    var description: String {
        strerror(number).map { String(cString: $0) } ?? "errno \(number)"
    }
}
