/// Why a fleet could not start, or had to stop.
package struct FleetError: Error, Sendable, CustomStringConvertible {
    /// The kind of the error.
    package enum Code: String, Sendable, Equatable {
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
        /// The broker refused every device permanently before any was connected.
        case connectionRefused
        /// The broker refused some devices permanently while others ran.
        case devicesRefused
        /// A file is no report or cassette, or reports do not belong together.
        case unusableFile
        /// An option has an invalid value.
        case unusableOption
        /// The event loop or another part of this process failed.
        case `internal`
    }

    /// The kind of the error.
    package let code: Code
    /// What happened, why, and what to do about it.
    package let message: String
    /// The source file that raised it.
    package let file: StaticString
    /// The line that raised it.
    package let line: UInt

    /// Creates an error that knows where it was raised.
    package init(
        _ code: Code, _ message: String, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
    }

    package var description: String { message }
}
