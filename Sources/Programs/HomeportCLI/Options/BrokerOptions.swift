import ArgumentParser
import Homeport

/// How a verb connects.
struct BrokerOptions: ParsableArguments {
    @Option(
        name: .customLong("broker"),
        help: ArgumentHelp(
            "The broker, mqtt://host[:port] or mqtts://host[:port]; several of one cluster with commas between them.",
            discussion: """
                Default: HOMEPORT_BROKER, else the private broker of a running homeport-sim, \
                else \(BrokerChoice.fallbackURL).
                """,
            valueName: "url"))
    var brokers: [String] = []

    /// What `--broker` says.
    var broker: String? {
        get { brokers.first }
        set { brokers = newValue.map { [$0] } ?? [] }
    }

    @Option(
        help: ArgumentHelp(
            "The version of MQTT: 5 or 3.1.1.", discussion: "Default: 5.", valueName: "version"),
        transform: Parsing.version)
    var mqttVersion: MQTTProtocolVersion?

    @Option(
        parsing: .unconditional,
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
                Two lines, username=… and password=…; the file must be yours, with mode 0600. \
                Or keychain:NAME, a secret with these lines ('homeport keychain').
                """,
            valueName: "file"),
        completion: .file())
    var credentialsFile: String?

    func validate() throws {
        guard brokers.count < 2 else {
            throw ValidationError(
                "--broker is given \(brokers.count) times; the addresses of one cluster go into one, with commas "
                    + "between them")
        }
    }
}
