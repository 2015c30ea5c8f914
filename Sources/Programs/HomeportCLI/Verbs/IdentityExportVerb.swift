import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport identity export`.
struct IdentityExportVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes all that a mosquitto needs to serve this home and nobody else.",
        discussion: """
            Example: homeport identity export broker --listen 0.0.0.0:8883
                     mosquitto -c broker/mosquitto.conf

            Writes ca.crt, with which clients check the broker, crl.pem, acl, server.crt, server.key and \
            mosquitto.conf. Devices connect to the port of --listen, controllers to the next one, each with \
            a certificate of 'identity issue' and --ca-file ca.crt. The broker's certificate is for \
            the host of --listen, for localhost and for each --server-name; it ends after a year, and \
            the next export replaces it. 'provision' tells devices to join the listener of the last \
            export; where that is on every address, under the first --server-name.

            \(IdentityCommand.statuses)
            """)

    @Argument(
        help: ArgumentHelp("The folder, made where it is missing.", valueName: "dir"),
        completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp("Where the broker listens.", valueName: "host:port"),
        transform: { text in
            guard let address = ListenerAddress(text) else {
                throw ValidationError(
                    "write HOST:PORT with a port from 1 to 65534, as 0.0.0.0:8883 or [::]:8883")
            }
            return address
        })
    var listen: ListenerAddress

    @Option(
        help: ArgumentHelp(
            "Another name or address under which clients reach the broker; may be repeated.",
            valueName: "host"),
        transform: { text in
            guard ListenerAddress.isHost(text) else {
                throw ValidationError("write a name or an address, as broker.example or 192.0.2.1")
            }
            return text
        })
    var serverName: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The largest message that the broker takes, in bytes.",
            discussion: """
                Default: \(BrokerFolder.usualMessageSizeLimit), as large as those of the protocol. \
                The documents of a zigbee2mqtt on the same broker may be larger.
                """,
            valueName: "bytes"),
        transform: { text in
            guard let bytes = Int(text), (BrokerFolder.usualMessageSizeLimit...268_435_455) ~= bytes
            else { throw ValidationError("it is from 65536 to 268435455") }
            return bytes
        })
    var messageSizeLimit = BrokerFolder.usualMessageSizeLimit

    @OptionGroup(title: "Home and output") var common: CommonOptions

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let authority = try await common.tidiedAuthority(call.console)
        let listeners = try await CommandLineError.ofIdentities { () throws(IdentityError) in
            try await authority.export(
                to: BrokerFolder(folder), listeningOn: listen, alsoNamed: serverName,
                messageSizeLimit: messageSizeLimit)
        }
        call.console.write(
            IdentityRenderer(common.listStyle, call, at: authority.now).lines(for: listeners))
        return .done
    }
}
