import Homeport
import TerminalOutput

extension Console {
    /// The console of this program.
    convenience init(isVerbose: Bool) {
        self.init(program: HomeportCommand.name, isVerbose: isVerbose)
    }

    /// Why results are missing on stdout; `nil` where all were written, or their reader has gone.
    var writeFailure: CommandLineError? { writeError.map { CommandLineError(.internalError, $0) } }

    /// Writes the lines of a list to stdout. Where it is empty, people are told so on stderr; programs
    /// that read another form see that there is no line.
    func write(_ list: Listing, _ style: ListStyle, ifEmpty remark: String) {
        write(list.lines(style, in: layout))
        if list.rows.isEmpty, style.isTable { note(remark) }
    }
}
