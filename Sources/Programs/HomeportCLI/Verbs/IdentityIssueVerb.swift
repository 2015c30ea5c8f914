import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport identity issue`.
struct IdentityIssueVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "issue",
        abstract: "Issues certificates to devices, or to controllers.",
        discussion: """
            Example: homeport identity issue sweeper-1 pool-1 --directory identities
                     homeport identity issue homeport --controller --directory identities
                     homeport identity issue sweeper-1 --csr sweeper-1.csr --directory identities

            Writes DIR/HOME/NAME.crt and .key of devices, DIR/NAME.crt and .key of controllers, for \
            this user alone. 'homeport-sim run --identities DIR' and 'homeport --cert-file FILE \
            --key-file FILE' use them. With --csr the key stays with its owner, and only the \
            certificate is written. A certificate is valid from an hour ago, for clocks that are behind.

            \(IdentityCommand.statuses)
            """)

    @Argument(help: ArgumentHelp("The names of devices, or of controllers.", valueName: "name"))
    var names: [String]

    @Flag(help: "They are controllers.")
    var controller = false

    @Option(
        help: ArgumentHelp(
            "The owner's certificate request (PEM, key on P-256), for one name.", valueName: "file"),
        completion: .file())
    var csr: String?

    @OptionGroup var files: IdentityFileOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions

    func validate() throws {
        if csr != nil, names.count > 1 {
            throw ValidationError("--csr is the request of one name, but there are \(names.count)")
        }
    }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let authority = try await common.tidiedAuthority(call.console)
        let names = try names.map { name throws(CommandLineError) in
            try IdentityArgument(name, isController: controller).newName(in: authority.home)
        }
        guard Set(names).count == names.count else {
            throw .usage("a name is there twice: leave one out")
        }
        let request = try csr.map { path throws(CommandLineError) in
            try IdentityArgument.request(path)
        }
        let folder = try files.folder()
        let issued = try await CommandLineError.ofIdentities { () throws(IdentityError) in
            if let request {
                [
                    try await authority.issue(
                        to: names[0], request, into: folder, validFor: files.validity)
                ]
            } else {
                try await authority.issue(to: names, into: folder, validFor: files.validity)
            }
        }
        call.console.write(
            IdentityRenderer(common.listStyle, call, at: authority.now).lines(for: issued))
        return .done
    }
}
