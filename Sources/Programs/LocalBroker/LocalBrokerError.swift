/// Why the private broker could not be started.
package struct LocalBrokerError: Error, Sendable, CustomStringConvertible {
    /// The kind of the error.
    package enum Code: Sendable, Equatable {
        /// No `mosquitto` program was found.
        case mosquittoMissing
        /// `setpriv`, which makes the broker end with this process, was not found.
        case setprivMissing
        /// No free loopback port was found.
        case noFreePort
        /// The broker ended before it was ready.
        case startFailed
        /// The operating system refused an operation.
        case system
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
    init(
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
