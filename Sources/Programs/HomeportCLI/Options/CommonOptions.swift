import ArgumentParser
import Homeport

/// What every verb uses: whose devices, printed how.
struct CommonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The home.", discussion: "Default: HOMEPORT_HOME, else home-1.", valueName: "id"),
        transform: Parsing.identifier)
    var home: HomeID?

    @Option(
        help: ArgumentHelp(
            "A file that names the home's channels and which devices use which.",
            discussion: "Default: $XDG_CONFIG_HOME/homeport/homeport.yaml where it exists.",
            valueName: "file"),
        completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp(
            "A context of the configuration file: home, broker, controller and ledger by one name.",
            discussion: "Default: the one that 'homeport context use' has chosen.",
            valueName: "name"),
        completion: .contexts)
    var context: String?

    @Flag(help: "Print one JSON object per line on stdout and nothing else.")
    var json = false

    @Flag(help: "Log details on stderr.")
    var verbose = false
}
