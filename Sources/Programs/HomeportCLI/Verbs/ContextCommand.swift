import ArgumentParser

/// `homeport context`: the verbs about contexts of the configuration file.
struct ContextCommand: VerbGroup {
    static let configuration = CommandConfiguration(
        commandName: "context",
        abstract: "Several homes and brokers, each by a name.",
        discussion: """
            Example: homeport context list
                     homeport context use villa
                     homeport devices --context workshop

            A context is a home, a broker, a controller and a ledger by one name, under contexts: in the \
            configuration file:

              contexts:
                villa: {home: villa, broker: "mqtts://broker.example"}
                workshop: {home: home-1, database: workshop.sqlite}

            What it leaves out is as without it. An option comes before it, and before the context in use a \
            variable such as HOMEPORT_HOME, too.
            """,
        subcommands: [ContextListVerb.self, ContextUseVerb.self, UnknownVerb<Self>.self],
        defaultSubcommand: UnknownVerb<Self>.self)
}

extension CommonOptions {
    /// Where the configuration file is, for a verb that needs one.
    /// - Throws: ``CommandLineError`` with ``VerbStatus/wrongInput``.
    func requireConfigurationPath() throws(CommandLineError) -> String {
        guard let path = configurationPath else {
            throw CommandLineError(
                .wrongInput,
                "there is no configuration file: write one with contexts: to "
                    + "$XDG_CONFIG_HOME/homeport/homeport.yaml, or name it with --config")
        }
        return path
    }
}
