import ArgumentParser
import TerminalOutput

extension Console {
    /// The console of this program.
    static var simulator: Console { Console(program: "homeport-sim", isVerbose: false) }

    /// Writes a result to stdout, line by line.
    /// - Throws: `ExitCode`, after a line that says why it could not be written.
    func writeResult(_ lines: some Sequence<String>) throws {
        write(lines)
        guard let writeError else { return }
        note(writeError)
        throw ExitStatus.unwritten
    }
}
