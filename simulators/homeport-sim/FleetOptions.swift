import ArgumentParser
import Fleet

/// Which devices to simulate, and how they behave.
struct FleetOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Homes, named home-1 … home-N (default: 1).", valueName: "N"),
        transform: OptionValues.count(in: 1...100_000))
    var homes: Int?

    @Option(help: ArgumentHelp("One home of this name instead.", valueName: "ID"))
    var home: String?

    @OptionGroup var kinds: KindOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Processes of this machine that share the homes (default: 1). There is one fleet all the "
                + "same: one ready, one control socket, one report.", valueName: "N"),
        transform: OptionValues.count(in: 1...HomeBucket.count))
    var processes = 1

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Part I of N of the homes alone, for several machines. Home k belongs to part "
                + "((k - 1) mod N) + 1.", valueName: "I/N"),
        transform: OptionValues.part)
    var shard: FleetPart = .whole

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Everything random derives from it and the device's name (default: 1).", valueName: "N"),
        transform: OptionValues.seed)
    var seed: UInt64?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "World time between samples of one device (default: 5s).", valueName: "T"),
        transform: OptionValues.time(from: "100ms", to: "24h"))
    var telemetryInterval: Duration = .seconds(5)

    @Option(
        help: ArgumentHelp(
            "How every device connects again after it lost its connection, by itself: fixed:T, "
                + "backoff:FIRST:CAP or jitter:FIRST:CAP (default: jitter:1s:60s).",
            valueName: "RULE"),
        transform: OptionValues.reconnect)
    var reconnect: ReconnectRule?

    /// The devices of each home.
    var counts: DeviceCounts { kinds.counts ?? .usual }

    /// The homes that are asked for; `nil` where none are.
    /// - Throws: an error about the option for an impossible name.
    func namedHomes() throws -> FleetHomes? {
        guard let home else { return homes.map { .numbered($0) } }
        do {
            return try .named(home)
        } catch {
            throw ValidationError("--home: \(error)")
        }
    }

    /// Checks that this shard has homes.
    /// - Throws: an error about the option for an impossible name or an empty part.
    func checkShard() throws {
        let homes = try namedHomes() ?? .numbered(1)
        do throws(FleetError) {
            _ = try homes.part(shard)
        } catch { throw ValidationError("--shard: \(error)") }
    }

    func validate() throws {
        guard homes == nil || home == nil else {
            throw ValidationError("--homes N and --home ID exclude each other: give one of them")
        }
        guard (homes ?? 1) * counts.total <= 1_000_000 else {
            throw ValidationError("that makes more than 1,000,000 devices: ask for fewer")
        }
        _ = try namedHomes()
    }
}
