import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport identity rotate`.
struct IdentityRotateVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Replaces a certificate and its key before it expires.",
        discussion: """
            Example: homeport identity rotate sweeper-1 --directory identities

            The old certificate is superseded and accepted until it expires, so that its owner can go on \
            until it connects again. Homeport's programs read the new files when they do.

            \(IdentityCommand.statuses)
            """)

    @Argument(
        help: ArgumentHelp(
            "The name, as 'identity list' shows it, or the device's id.", valueName: "name"))
    var identity: String

    @Flag(help: "It is a controller, where a device has the same id.")
    var controller = false

    @OptionGroup var files: IdentityFileOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let authority = try await common.tidiedAuthority(call.console)
        let name = try await IdentityArgument(identity, isController: controller)
            .knownName(in: authority)
        let folder = try files.folder()
        let issued = try await CommandLineError.ofIdentities { () throws(IdentityError) in
            try await authority.rotate(name, in: folder, validFor: files.validity)
        }
        call.console.write(
            IdentityRenderer(common.listStyle, call, at: authority.now).lines(for: [issued]))
        return .done
    }
}
