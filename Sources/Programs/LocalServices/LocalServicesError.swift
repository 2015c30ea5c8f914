/// Why programs of one user did not find or understand each other, or could not start a broker for each other.
package struct LocalServicesError: Error, Sendable, CustomStringConvertible {
    /// The kind of the error.
    package enum Code: Sendable, Equatable {
        /// A folder or file of the meeting point belongs to somebody else or is open to others.
        case unsafeMeetingPoint
        /// The operating system refused an operation.
        case system
        /// A line on a socket is not what was expected.
        case malformed
        /// The other program does not answer, or not in time.
        case unanswered
        /// The other program has understood the request, and refuses it.
        case refused
        /// No `mosquitto` program was found.
        case mosquittoMissing
        /// `setpriv`, which makes a broker end with the process that started it, was not found.
        case setprivMissing
        /// No free loopback port was found.
        case noFreePort
        /// A broker ended before it was ready.
        case startFailed
    }

    /// The kind of the error.
    package let code: Code
    /// What happened, why, and what to do about it.
    package let message: String
    /// The error of the layer below, where there was one.
    package let underlying: (any Error)?
    /// The source file that raised it.
    package let file: StaticString
    /// The line that raised it.
    package let line: UInt

    /// Creates an error that knows where it was raised.
    package init(
        _ code: Code, _ message: String, underlying: (any Error)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.underlying = underlying
        self.file = file
        self.line = line
    }

    package var description: String { message }
}
