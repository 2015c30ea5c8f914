import ArgumentParser
import Homeport

/// `homeport identity revoke`.
struct IdentityRevokeVerb: Verb {
    static let name = "revoke"
    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: "homeport identity",
        abstract: "Takes every certificate of a name back.",
        discussion: """
            Example: homeport identity revoke sweeper-1 --export broker --reload-pid "$(pidof mosquitto)"

            With --export the revocation list and the access control of a broker that 'identity export' has \
            written are written again, with --reload-pid the running broker reads them, and its \
            connections with that name are ended. Without them brokers accept the certificates until \
            they get a new list.

            \(IdentityCommand.statuses)
               5  the certificates are revoked, but the broker could not be reached to end connections
            """)

    @Argument(
        help: ArgumentHelp(
            "The name, as 'identity list' shows it, or the device's id.", valueName: "name"))
    var identity: String

    @Flag(help: "It is a controller, where a device has the same id.")
    var controller = false

    @Option(
        help: ArgumentHelp("The folder of 'identity export'.", valueName: "dir"),
        completion: .directory)
    var export: String?

    @Option(
        help: ArgumentHelp(
            "The process of the mosquitto that runs from --export.", valueName: "pid"))
    var reloadPid: Int32?

    @OptionGroup(title: "Home and output") var common: CommonOptions

    func validate() throws {
        if reloadPid != nil, export == nil {
            throw ValidationError("--reload-pid needs --export DIR, whose files that broker reads")
        }
    }

    func perform(in call: Call) async throws(Failure) -> VerbStatus {
        let authority = try common.identityAuthority()
        let name = try await IdentityArgument(identity, isController: controller)
            .knownName(in: authority)
        // Before anything is revoked: a process that is no broker is a mistake on the command line.
        let broker = try reloadPid.map { pid throws(Failure) in try BrokerProcess(pid) }
        let folder = try export.map { path throws(Failure) in
            try Failure.ofFolder { () throws(IdentityError) in try BrokerFolder(path) }
        }
        let revoked = try await Failure.ofIdentities { () throws(IdentityError) in
            let revoked = try await authority.revoke(name)
            if let folder { try await authority.update(folder) }
            return revoked
        }
        call.console.write(IdentityRenderer(common, call, at: authority.now).lines(for: revoked))
        guard let broker, let folder else { return .done }
        try broker.reload()
        let ending = try await Failure.ofIdentities { () throws(IdentityError) in
            try await authority.ending(name, at: folder) { await $0.carryOut() }
        }
        switch ending {
        case .ended: break
        case .noPlugin:
            call.console.note(
                "the broker has no plugin to end connections: \(name) has no rights any more, but stays "
                    + "connected until the broker is restarted")
        case .failed(let failure): throw failure
        }
        return .done
    }
}
