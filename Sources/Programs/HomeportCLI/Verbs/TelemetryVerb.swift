import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport telemetry`.
struct TelemetryVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "telemetry",
        abstract: "Prints the samples of a device that 'homeport serve' has kept.",
        discussion: """
            Examples: homeport telemetry sweeper-1 --from 2h
                      homeport telemetry store-1 --from 2026-11-01 --to 2026-12-01 --every 1h -o csv

            Beside a ledger in a file each sample of the last day is kept, the means of five minutes for a \
            month, and those of an hour for a year; in PostgreSQL each sample for as long as \
            'serve --keep-telemetry' says. Without --every it prints what is kept; with it the means of \
            periods that begin at multiples of that time in UTC. It needs neither broker nor server.

            \(VerbStatus.help(VerbStatus.ofLedger))
            """)

    @Argument(help: ArgumentHelp("The device.", valueName: "device"), completion: .devices)
    var device: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "From then on: 30m, 24h, 08:30, 2026-12-24 or 2026-12-24T08:30.",
            discussion: "Local time, unless Z or an offset such as +02:00 follows. Default: 24h.",
            valueName: "time"),
        transform: Parsing.moment)
    var from: Timestamp?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Before then, in the same forms.", discussion: "Default: without an end.",
            valueName: "time"),
        transform: Parsing.moment)
    var to: Timestamp?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The means of so long: 10s, 5m, 1h.", valueName: "time"),
        transform: Parsing.duration)
    var every: Duration?

    @Option(
        name: .customShort("o"),
        help: ArgumentHelp(
            "csv, json, or line for InfluxDB's line protocol.",
            discussion: "--json is -o json. Default: lines for people.", valueName: "form"))
    var output: TelemetryForm?

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(visibility: .hidden) var broker: BrokerOptions

    func validate() throws {
        if let every, every < .milliseconds(1) || every > .seconds(366 * 86_400) {
            throw ValidationError("--every is from 1ms to 8784h, which is 366 days")
        }
        if let from, let to, from >= to {
            throw ValidationError("--from is not before --to, so there is nothing between them")
        }
        if common.json, let output, output != .json {
            throw ValidationError("--json and -o \(output.rawValue) contradict each other")
        }
    }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        let console = call.console
        return try await session.withHome { home throws(HomeError) in
            let (device, span) = try await find(in: home)
            let pages = TelemetryPages(
                from: from ?? MachineClock.wallTime.advanced(by: .seconds(-86_400)), to: to,
                kept: span, every: every)
            let form = common.json ? .json : output
            var renderer = TelemetryRenderer(form: form, device: device, home: home.id)
            if form == .csv {
                for page in pages {
                    renderer.learn(try await samples(of: device, page, in: home))
                }
                console.write(renderer.header)
            }
            var (count, means) = (0, 0)
            for page in pages where !console.isClosed {
                let samples = try await samples(of: device, page, in: home)
                count += samples.count
                means += samples.count { $0.isMean }
                console.write(samples.compactMap(renderer.line))
            }
            // Samples are not read once they cannot be written: their number says nothing then.
            guard !console.isClosed else { return .done }
            if count == 0 { console.note(nothing(of: device, span)) }
            if every == nil, means > 0 {
                console.note(
                    "\(means) of these are means: samples are kept for a day, means of five minutes for "
                        + "a month, those of an hour for a year")
            }
            return .done
        }
    }

    /// The device that is meant, by the ledger or the history, and when its samples were taken.
    private func find(
        in home: Home
    ) async throws(HomeError) -> (DeviceID, ClosedRange<Timestamp>?) {
        if let known = try await home.rememberedID(ofDeviceCalled: device) {
            return (known, try await home.deviceHistory.span(of: known))
        }
        guard let id = DeviceID(rawValue: device),
            let span = try await home.deviceHistory.span(of: id)
        else {
            throw HomeError(.unknownDevice, "no device \"\(device)\" is known in \(home.id)")
        }
        return (id, span)
    }

    private func samples(
        of device: DeviceID, _ page: Range<Timestamp>, in home: Home
    ) async throws(HomeError) -> [RecordedSample] {
        try await home.deviceHistory.samples(
            of: device, from: page.lowerBound, to: page.upperBound, every: every)
    }

    private func nothing(of device: DeviceID, _ span: ClosedRange<Timestamp>?) -> String {
        guard let span else {
            return "no samples of \(device) are kept; 'homeport serve' keeps them while it runs"
        }
        return "no samples of \(device) are kept from that time; those that are were taken from "
            + "\(LocalTime.dateAndTime(span.lowerBound)) to \(LocalTime.dateAndTime(span.upperBound))"
    }
}

/// The forms of samples.
enum TelemetryForm: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument {
    /// A header and a row for each sample, a column for each signal.
    case csv
    /// One object on each line.
    case json
    /// InfluxDB's line protocol.
    case line
}

/// A time in parts that are read one after the other, so that a year needs little memory.
struct TelemetryPages: Sequence {
    /// How long a part is, about.
    private static let length = 4 * 86_400_000

    private let start: Int
    private let end: Int
    private let step: Int

    /// - Parameters:
    ///   - start: where the first part begins, at the latest.
    ///   - end: where the last one ends; `nil` for no end.
    ///   - span: when the samples were taken that are kept; `nil` for none.
    ///   - length: of the periods whose means are wanted; parts begin and end with one.
    init(
        from start: Timestamp, to end: Timestamp?, kept span: ClosedRange<Timestamp>?,
        every length: Duration?
    ) {
        let unit = Swift.max(1, length?.wholeMilliseconds ?? 1)
        step = unit * Swift.max(1, Self.length / unit)
        guard let span else {
            (self.start, self.end) = (0, 0)
            return
        }
        // The first mean begins before its first sample.
        let first = span.lowerBound.milliseconds - 3_600_000
        let from = Swift.max(start.milliseconds, first)
        self.start = from.period(of: unit) * unit
        self.end = Swift.min(end?.milliseconds ?? .max, span.upperBound.milliseconds + 1)
    }

    func makeIterator() -> AnyIterator<Range<Timestamp>> {
        var next = start
        return AnyIterator { [end, step] in
            guard next < end else { return nil }
            defer { next += step }
            return Timestamp(
                milliseconds: next)..<Timestamp(milliseconds: Swift.min(next + step, end))
        }
    }
}
