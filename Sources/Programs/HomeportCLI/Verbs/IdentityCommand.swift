import ArgumentParser
import Homeport

/// `homeport identity`: the verbs about certificates of devices and controllers.
struct IdentityCommand: VerbGroup {
    static let configuration = CommandConfiguration(
        commandName: "identity",
        abstract: "Certificates of devices and controllers from the home's own authority.",
        discussion: """
            Example: homeport identity issue sweeper-1 pool-1 --directory identities
                     homeport identity issue homeport --controller --directory identities
                     homeport identity export broker --listen 0.0.0.0:8883
                     mosquitto -c broker/mosquitto.conf

            The authority's keys are in the keychain ('homeport keychain --help'); what it has issued \
            is in $XDG_STATE_HOME/homeport/identity. It is made at its first use.
            """,
        subcommands: [
            IdentityIssueVerb.self, IdentityListVerb.self, IdentityRotateVerb.self,
            IdentityRevokeVerb.self, IdentityExportVerb.self,
            UnknownVerb<Self>.self,
        ], defaultSubcommand: UnknownVerb<Self>.self)

    /// How a verb of this group ends.
    static let statuses = VerbStatus.help(
        [
            .done, .usage, .wrongInput, .internalError, .damagedKeychain, .unsafeKeychain,
            .wrongKey,
        ],
        but: [
            .wrongInput: "unknown name, a name that has a certificate already, a wrong request, an "
                + "authority that has ended, or a folder that cannot be written to or holds no export",
            .damagedKeychain: "the keychain or the register of certificates is damaged",
            .unsafeKeychain: "refused: somebody else could read or replace a file",
        ])
}
