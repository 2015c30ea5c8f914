/// Why a fleet could not start, or could not go on.
package struct FleetError: Error, Sendable, CustomStringConvertible {
    /// What kind of trouble it is.
    package enum Code: Sendable, Equatable {
        /// Another process holds the journal's lock.
        case journalInUse
        /// The journal has a damaged record that is not its torn tail, or another format.
        case journalDamaged
        /// The journal cannot be created, read or written.
        case journalUnusable
        /// The process may not open as many descriptors as the fleet needs.
        case tooManyDevices
        /// No device reached the broker in time.
        case brokerUnreachable
        /// The broker refused every device for good, before any was connected.
        case connectionRefused
        /// The broker refused devices for good while others ran.
        case devicesRefused
        /// An option's value that makes no sense.
        case unusableOption
        /// The event loop, or something else of this process, broke.
        case `internal`
    }

    /// What kind of trouble it is.
    package let code: Code
    /// What happened, why, and what to do about it.
    package let message: String
    /// The source file that raised it.
    package let file: StaticString
    /// The line that raised it.
    package let line: UInt

    /// Creates one, noting where.
    init(_ code: Code, _ message: String, file: StaticString = #fileID, line: UInt = #line) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
    }

    package var description: String { message }
}
