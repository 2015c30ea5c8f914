/// Why the private broker could not be started, or its meeting point not be used.
package struct LocalBrokerError: Error, Sendable, CustomStringConvertible {
    /// What kind of trouble it is.
    package enum Code: Sendable, Equatable {
        /// No `mosquitto` program was found.
        case mosquittoMissing
        /// `setpriv`, which ties the broker's life to ours, was not found.
        case setprivMissing
        /// No free loopback port could be had.
        case noFreePort
        /// The broker ended, or fell silent, before it was ready.
        case startFailed
        /// A folder or file of the meeting point belongs to somebody else or is open to others.
        case unsafeMeetingPoint
        /// The operating system refused an operation.
        case system
    }

    /// What kind of trouble it is.
    package let code: Code
    /// What happened, why, and what to do about it.
    package let message: String
    /// The error of the layer below, where there was one.
    package let underlying: (any Error)?
    /// The source file that raised it.
    package let file: StaticString
    /// The line that raised it.
    package let line: UInt

    /// Creates one, noting where.
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
