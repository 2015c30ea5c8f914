import ArgumentParser
import Homeport

/// Where certificates are written, and how long they are valid.
struct IdentityFileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where certificates and keys are.",
            discussion: "Default: $XDG_STATE_HOME/homeport/identities.", valueName: "dir"),
        completion: .directory)
    var directory: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long a certificate is valid.", discussion: "Default: 8760h, a year.",
            valueName: "time"),
        transform: { text in
            let validity = try Parsing.duration(text)
            guard (.seconds(1) ... .seconds(20 * 365 * 86_400)).contains(validity) else {
                throw ValidationError(
                    "it must be from 1s to 175200h, how long the authority is valid")
            }
            return validity
        })
    var valid: Duration?

    /// How long they are valid.
    var validity: Duration { valid ?? IdentityAuthority.usualValidity }

    /// The folder.
    func folder() throws(CommandLineError) -> IdentityFiles {
        if let directory { return IdentityFiles(folder: directory) }
        do {
            return IdentityFiles(
                folder: try StandardKeychain.stateFolder() + "/homeport/identities")
        } catch {
            throw CommandLineError(error)
        }
    }
}
