/// Why a verb ended without its result.
package struct CommandLineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How the program ends for it.
    let status: VerbStatus
    /// What happened, why, and what to do: one line.
    let message: String

    package init(_ status: VerbStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The command line is wrong.
    static func usage(_ message: String) -> CommandLineError { CommandLineError(.usage, message) }

    package var description: String { message }
}
