import ArgumentParser
import Fleet

/// Which devices to simulate, and how they behave.
struct FleetOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Homes, named home-1 … home-N (default: 1).", valueName: "N"),
        transform: OptionValues.count(in: 1...10_000))
    var homes: Int?

    @Option(help: ArgumentHelp("One home of this name instead.", valueName: "ID"))
    var home: String?

    @OptionGroup var kinds: KindOptions

    @Option(
        help: ArgumentHelp(
            "Everything random derives from it and the device's name.", valueName: "N"))
    var seed: UInt64 = 1

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "World time between samples of one device (default: 5s).", valueName: "T"),
        transform: OptionValues.time(from: "100ms", to: "24h"))
    var telemetryInterval: Duration = .seconds(5)

    /// The devices of each home.
    var counts: DeviceCounts { kinds.counts ?? .usual }

    /// The homes.
    /// - Throws: an error about the option for an impossible name.
    func chosenHomes() throws -> FleetHomes {
        guard let home else { return .numbered(homes ?? 1) }
        do {
            return try .named(home)
        } catch {
            throw ValidationError("--home: \(error)")
        }
    }

    func validate() throws {
        guard homes == nil || home == nil else {
            throw ValidationError("--homes N and --home ID exclude each other: give one of them")
        }
        guard (homes ?? 1) * counts.total <= 1_000_000 else {
            throw ValidationError("that makes more than 1,000,000 devices: ask for fewer")
        }
        _ = try chosenHomes()
    }
}
