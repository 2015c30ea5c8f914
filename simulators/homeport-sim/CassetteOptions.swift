import ArgumentParser
import Fleet
import LocalServices

/// The broker of a cassette: one that is named, else the private one of a running fleet.
struct CassetteOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The broker: mqtt://host[:port], or mqtts://… for TLS (default: the private broker of a running "
                + "homeport-sim); several addresses of one cluster with commas between them.",
            valueName: "URL"))
    var broker: [String] = []

    @OptionGroup var access: BrokerAccessOptions

    @Option(help: ArgumentHelp("MQTT protocol version: 5 or 3.1.1.", valueName: "VERSION"))
    var mqttVersion: FleetProtocolVersion = .v5

    func validate() throws {
        guard broker.count < 2 else {
            throw ValidationError("--broker is named twice: a cassette belongs to one")
        }
        _ = try access.brokers(at: broker)
    }

    /// A client of that broker.
    /// - Throws: an error about the option where no broker is named and not exactly one fleet runs.
    func client() throws -> CassetteClient {
        let broker = try access.brokers(at: broker)?.all.first ?? (try ofRunningFleet())
        return CassetteClient(broker: broker, version: mqttVersion)
    }

    private func ofRunningFleet() throws -> FleetBroker {
        switch try MeetingPoint().live() {
        case .one(let announced): try FleetBroker(at: announced.url)
        case .none:
            throw ValidationError("no private broker of a fleet runs: name one with --broker")
        case .several(let all):
            throw ValidationError(
                "several fleets run: choose one with --broker, of "
                    + all.map(\.url).joined(separator: ", "))
        }
    }
}
