import TerminalOutput

extension Console {
    /// The console of this program.
    static var simulator: Console { Console(program: "homeport-sim", isVerbose: false) }
}
