import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport identity list`.
struct IdentityListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the certificates of the home with their states.",
        discussion: """
            Example: homeport identity list --json

            staged: issued, and not yet confirmed by its owner; active: in use; superseded: replaced, and \
            accepted until it expires; expired; revoked: refused by brokers that have the list.

            \(IdentityCommand.statuses)
            """)

    @OptionGroup(title: "List") var list: ListOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let style = try list.style(common, of: IdentityRenderer.columns)
        let authority = try await common.tidiedAuthority(call.console)
        let records = try await CommandLineError.ofIdentities { () throws(IdentityError) in
            try await authority.records()
        }
        call.console.write(
            IdentityRenderer(style, call, at: authority.now).listing(of: records), style,
            ifEmpty: "no certificates have been issued in \(authority.home); "
                + "'homeport identity issue NAME' issues one")
        return .done
    }
}
