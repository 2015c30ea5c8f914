import ArgumentParser
import Homeport

/// The options of every verb: home, broker and output.
///
/// One group and not three: the start of a command pays for each of them (see Benchmarks/README.md).
struct CommonOptions: ParsableArguments {
    // MARK: Home

    @Option(
        help: ArgumentHelp(
            "The home.", discussion: "Default: HOMEPORT_HOME, else home-1.", valueName: "id"),
        transform: Parsing.identifier)
    var home: HomeID?

    @Option(
        help: ArgumentHelp(
            "Who the commands come from: names the ledger's owner and the ack topic.",
            discussion: "Default: homeport.", valueName: "id"),
        transform: Parsing.identifier)
    var controller: ControllerID?

    @Option(
        help: ArgumentHelp(
            "The ledger.",
            discussion: """
                Default: HOMEPORT_DATABASE, else $XDG_STATE_HOME/homeport/ledger.sqlite.
                """,
            valueName: "file"),
        completion: .file())
    var database: String?

    @Option(
        help: ArgumentHelp(
            "A file that names the home's channels and which devices use which.",
            discussion: "Default: $XDG_CONFIG_HOME/homeport/homeport.yaml where it exists.",
            valueName: "file"),
        completion: .file())
    var config: String?

    // MARK: Broker

    @Option(
        help: ArgumentHelp(
            "The broker, mqtt://host[:port] or mqtts://host[:port].",
            discussion: """
                Default: HOMEPORT_BROKER, else the private broker of a running homeport-sim, \
                else \(BrokerChoice.fallbackURL).
                """,
            valueName: "url"))
    var broker: String?

    @Option(
        help: ArgumentHelp(
            "The version of MQTT: 5 or 3.1.1.", discussion: "Default: 5.", valueName: "version"),
        transform: Parsing.version)
    var mqttVersion: MQTTProtocolVersion?

    @Option(
        help: ArgumentHelp(
            "How long connecting may take.", discussion: "Default: 10s.", valueName: "time"),
        transform: Parsing.duration)
    var connectTimeout: Duration?

    @Option(
        help: ArgumentHelp(
            "The certificate authorities that may have issued the broker's certificate.",
            discussion: "Default: the system's; SSL_CERT_FILE and SSL_CERT_DIR name others.",
            valueName: "file"),
        completion: .file())
    var caFile: String?

    @Option(
        help: ArgumentHelp(
            "The certificate to present to the broker, with its chain.", valueName: "file"),
        completion: .file())
    var certFile: String?

    @Option(
        help: ArgumentHelp(
            "The key of --cert-file, closed to other users.",
            discussion: "Default: read from --cert-file.", valueName: "file"),
        completion: .file())
    var keyFile: String?

    @Option(
        help: ArgumentHelp(
            "The name that the broker's certificate must be for.",
            discussion: "Default: the host of the broker's URL.", valueName: "name"))
    var tlsServerName: String?

    @Option(
        help: ArgumentHelp(
            "User name and password for the broker.",
            discussion: """
                Two lines, username=… and password=…; the file must be yours, with mode 0600.
                """,
            valueName: "file"),
        completion: .file())
    var credentialsFile: String?

    // MARK: Output

    @Flag(help: "Print one JSON object per line on stdout and nothing else.")
    var json = false

    @Flag(help: "Log details on stderr.")
    var verbose = false
}
