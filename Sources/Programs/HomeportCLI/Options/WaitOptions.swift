import ArgumentParser

/// Whether a verb waits for samples of telemetry, which are not retained.
struct WaitOptions: ParsableArguments {
    /// Twice the usual interval between samples.
    private static let standardLimit = Duration.seconds(10)

    @Flag(
        inversion: .prefixedNo,
        help: "Wait for the first sample of telemetry.")
    var wait: Bool?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long to wait for a sample at most.", discussion: "Default: 10s.",
            valueName: "time"),
        transform: Parsing.duration)
    var waitTimeout: Duration?

    /// How long to wait at most.
    var limit: Duration { waitTimeout ?? Self.standardLimit }
}
