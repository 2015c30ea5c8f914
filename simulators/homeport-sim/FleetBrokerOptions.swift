import ArgumentParser
import Fleet

/// Which broker the devices connect to, and what they present to it.
struct FleetBrokerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The broker: mqtt://host[:port], or mqtts://… for TLS (default: a private mosquitto); several "
                + "addresses of one cluster with commas between them. May be given more than once: home k uses "
                + "broker ((k - 1) mod B) + 1.", valueName: "URL")
    )
    var broker: [String] = []

    @OptionGroup var access: BrokerAccessOptions

    /// The brokers; `nil` for a private one.
    /// - Throws: an error about an option.
    func chosen() throws -> FleetBrokers? { try access.brokers(at: broker) }

    func validate() throws { _ = try chosen() }
}
