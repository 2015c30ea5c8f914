import Glibc
import Homeport
import Persistence

/// A year of a home in a history: how large it is, and how long reading takes.
///
///     history-bench FOLDER SAMPLES…
///
/// Each of SAMPLES is a day of a device at full rate, as `homeport telemetry DEVICE -o json` prints it; the day is
/// repeated for a year, with fewer samples the older it is (``steps(_:)``), which makes blocks of the same size. Prints lines `name value` on standard output.
@main
enum HistoryBench {
    private static let home = HomeID.literal("home-1")
    private static let dayLength = 86_400_000

    static func main() async {
        let words = CommandLine.arguments.dropFirst()
        guard words.count >= 2, let folder = words.first else {
            say("usage: see the head of HistoryBench.swift")
            exit(64)
        }
        do {
            let devices = try words.dropFirst().map(readDay)
            let store = GRDBSampleStore(besideLedger: "\(folder)/ledger.sqlite", .readWrite)
            let clock = ContinuousClock()
            let start = clock.now
            for day in 0..<365 { try await write(day, of: devices, into: store) }
            report("history-year-write-s", (clock.now - start) / .seconds(1))
            report(
                "history-year-bytes",
                Double(HistoryInspection(besideLedger: "\(folder)/ledger.sqlite").size))
            try await read("\(folder)/ledger.sqlite", devices.count)
        } catch {
            say("history-bench: \(error)")
            exit(2)
        }
    }

    /// Of how many milliseconds a sample is taken of a day, and how many are written together.
    ///
    /// What is kept of a day are the means that its age lets it have, and a mean of five samples is as long as one of
    /// sixty: only the last days come at full rate.
    private static func steps(_ day: Int) -> (sample: Int, batch: Int) {
        switch 365 - day {
        case ...2: (1, 600_000)
        case ...32: (60_000, 600_000)
        default: (300_000, dayLength)
        }
    }

    /// Writes one day in batches, with the upkeep that a server does after each.
    private static func write(
        _ day: Int, of devices: [[RecordedSample]], into store: GRDBSampleStore
    ) async throws {
        let (step, length) = steps(day)
        var batches = Array(repeating: HistoryBatch(), count: dayLength / length)
        for (number, samples) in devices.enumerated() {
            let device = RecordedDevice(try DeviceID("device-\(number)"), in: home)
            var last = -1
            for var sample in samples {
                let time = sample.at.milliseconds % dayLength
                defer { last = time / step }
                guard time / step != last else { continue }
                sample.at = Timestamp(milliseconds: day * dayLength + time)
                batches[time / length].samples[device, default: []].append(sample)
            }
        }
        for batch in batches {
            try await store.add(batch)
            while try await store.maintain(at: Timestamp(milliseconds: 365 * dayLength)) {}
        }
    }

    /// Reads as the dashboard does at its start, and as `homeport telemetry` does, each with a new connection.
    private static func read(_ ledger: String, _ devices: Int) async throws {
        let end = Timestamp(milliseconds: 365 * dayLength)
        func time(_ name: String, _ body: (GRDBSampleStore, DeviceID) async throws -> Int)
            async throws
        {
            let clock = ContinuousClock()
            var longest = 0.0
            for number in 0..<devices {
                let store = GRDBSampleStore(besideLedger: ledger, .readOnly)
                let device = try DeviceID("device-\(number)")
                let start = clock.now
                let count = try await body(store, device)
                longest = max(longest, (clock.now - start) / .milliseconds(1))
                if count == 0 { say("nothing was read of \(device)") }
            }
            report(name, longest)
        }
        try await time("history-chart-ms") { store, device in
            let hour = try await store.samples(
                of: device, in: home, end.advanced(by: .seconds(-3_600))..<end)
            let day = try await store.means(
                of: device, in: home, end.advanced(by: .seconds(-86_400))..<end, length: 300_000)
            return min(hour.count, day.count)
        }
        let year = Timestamp(milliseconds: 0)..<end
        try await time("history-year-by-hours-ms") { store, device in
            try await store.means(of: device, in: home, year, length: 3_600_000).count
        }
        try await time("history-year-as-kept-ms") { store, device in
            try await store.samples(of: device, in: home, year).count
        }
    }

    private static func readDay(_ path: String) throws -> [RecordedSample] {
        guard let file = fopen(path, "r") else {
            throw HistoryError(.failed, "cannot open \(path)")
        }
        defer { fclose(file) }
        var samples: [RecordedSample] = []
        var line: UnsafeMutablePointer<CChar>?
        var size = 0
        defer { free(line) }
        while case let count = getline(&line, &size, file), count > 0, let text = line {
            let bytes = UnsafeRawBufferPointer(start: text, count: count).prefix { $0 != 0x0A }
            let members = try JSONReader.read(Array(bytes)).object ?? [:]
            guard let at = members["at"]?.integer, let values = members["values"]?.object else {
                throw HistoryError(.failed, "\(path) has no samples")
            }
            samples.append(
                RecordedSample(
                    at: Timestamp(milliseconds: at), values: values,
                    boot: .literal("b1-1764000000000"),
                    n: samples.count + 1))
        }
        return samples
    }
}

/// One line on standard error.
func say(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
}

/// One result.
func report(_ name: String, _ value: Double) {
    print(name, value)
    fflush(nil)
}
