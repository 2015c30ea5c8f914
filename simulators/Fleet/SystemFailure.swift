import Glibc

/// What the operating system said when it refused an operation.
struct SystemFailure: Error, CustomStringConvertible {
    /// The error number.
    let number: Int32

    /// The failure of the call that has just returned −1.
    static var last: SystemFailure { SystemFailure(number: errno) }

    var description: String { String(cString: strerror(number)) }
}
