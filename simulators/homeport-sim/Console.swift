import TerminalOutput

extension Console {
    /// The console of this program.
    static let simulator = Console(program: "homeport-sim", isVerbose: false)
}
