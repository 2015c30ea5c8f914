import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport audit`.
struct AuditVerb: HomeVerb {
    /// What it does with the log.
    enum Action: String, ExpressibleByArgument, CaseIterable {
        case verify, export
    }

    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Checks the log of the ledger, or prints it.",
        discussion: """
            Examples: homeport audit verify
                      homeport audit export > audit.ndjson

            Every event of every command is an entry that names the hash of the entry before it. \
            'verify' finds entries that were changed, removed or inserted, also at the end, and \
            commands that were removed, added or changed; its status is then 1. Not compared is what \
            the log does not tell, such as redacted arguments, why a command that has not ended waits, \
            and what homeport notes to go on with it. \
            'export' prints one JSON object on each line; 'hash' is the SHA-256 of the line up to \
            ,"hash":. Arguments that the device marks as writeOnly are not in the log.

            \(VerbStatus.help(
                [.done, .notDone] + VerbStatus.ofEveryHome,
                but: [.notDone: "'verify' found the log or a command changed"]))
            """)

    @Argument(help: ArgumentHelp("What to do.", valueName: "verify|export"))
    var action: Action

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(visibility: .hidden) var broker: BrokerOptions

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        try requireLedger()
        let session = try Session(options, call)
        let console = call.console
        return try await session.withHome { home throws(HomeError) in
            switch action {
            case .verify: return try await verify(home, console)
            case .export: return try await export(home, console)
            }
        }
    }

    /// A ledger that is not there would be made, and found to be as it was written.
    private func requireLedger() throws(CommandLineError) {
        let location = try options.inContext().ledgerLocation(try common.configurationFile())
        guard let path = try? location.path(), !Environment.hasFile(path) else { return }
        throw CommandLineError(
            .wrongInput, "there is no ledger at \(path); name it with --database")
    }

    private func verify(_ home: Home, _ console: Console) async throws(HomeError) -> VerbStatus {
        let report = try await home.verifyAudit()
        console.write(AuditRenderer(format: common.format).lines(for: report))
        return report.isIntact ? .done : .notDone
    }

    private func export(_ home: Home, _ console: Console) async throws(HomeError) -> VerbStatus {
        var last = 0
        while true {
            let entries = try await home.auditEntries(after: last)
            // Unchanged: the hash is that of these bytes.
            console.write(entries.map(\.line))
            guard let end = entries.last?.number, console.writeFailure == nil else { return .done }
            last = end
        }
    }
}
