import ArgumentParser
import BoxedDevices

/// Boxed devices, which wait for a program to bring them into a home.
struct BoxedOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Boxed devices with an access point each on a loopback address of its own. They take no "
                + "faults.",
            valueName: "N"),
        transform: OptionValues.count(in: 0...BoxedFleet.limit))
    var unprovisioned = 0

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A Wi-Fi network in reach of boxed devices; SSID= for an open one. May be given more "
                + "than once.", valueName: "SSID=PASSPHRASE"))
    var wifi: [String] = []

    @Option(
        name: .customLong("fail-safe"), parsing: .unconditional,
        help: ArgumentHelp(
            "How long a claim may stay without its commit; then the device goes back into its box "
                + "(default: 5m).", valueName: "T"),
        transform: OptionValues.time(from: "1s", to: "24h"))
    var givenFailSafe: Duration?

    /// How long a claim may stay without its commit.
    var failSafe: Duration { givenFailSafe ?? .seconds(300) }

    /// The networks of `--wifi`.
    /// - Throws: an error about the option that does not repeat the passphrase.
    func networks() throws -> WiFiSurroundings {
        do throws(InvalidNetwork) {
            var networks: [WiFiSurroundings.Network] = []
            for text in wifi { networks.append(try WiFiSurroundings.Network(text)) }
            return try WiFiSurroundings(networks)
        } catch {
            throw ValidationError("--wifi: \(error)")
        }
    }

    func validate() throws {
        _ = try networks()
        guard unprovisioned == 0 else { return }
        for (option, isGiven) in [("--wifi", !wifi.isEmpty), ("--fail-safe", givenFailSafe != nil)]
        where isGiven {
            throw ValidationError("\(option) is for boxed devices: give --unprovisioned N too")
        }
    }
}
