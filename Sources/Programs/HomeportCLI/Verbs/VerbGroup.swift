import ArgumentParser

/// Verbs that follow the same word, or none.
protocol VerbGroup: ParsableCommand {}

extension VerbGroup {
    /// The verbs, as a command line names them.
    static var verbNames: [String] {
        configuration.subcommands.map { $0.configuration }.filter(\.shouldDisplay)
            .compactMap(\.commandName)
    }

    /// The word before them; empty for the verbs of the program.
    static var path: [String] {
        self == HomeportCommand.self ? [] : [configuration.commandName ?? ""]
    }
}
