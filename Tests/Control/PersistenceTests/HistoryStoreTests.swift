import DeviceDomain
import GRDB
import History
import Persistence
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// The history beside a ledger: what is kept, for how long, and that nothing is kept twice.
@Suite(.timeLimit(.minutes(5))) struct HistoryStoreTests {
    static let home = HomeID.literal("home-1")
    static let robot = DeviceID.literal("robot-1")
    /// 2025-11-24T16:00:00Z, the beginning of an hour.
    static let start = 1_764_000_000_000

    private let folder: TemporaryFolder
    private let store: GRDBSampleStore

    init() throws {
        folder = try TemporaryFolder()
        store = GRDBSampleStore(besideLedger: "\(folder.path)/ledger.sqlite", .readWrite)
    }

    @Test func samplesComeBackBeforeAndAfterUpkeep() async throws {
        let samples = Self.samples(2_000)
        try await store.add(samples)
        #expect(try await store.everySample == samples)
        try await store.maintainAll(at: samples.last)
        #expect(try await store.everySample == samples)
        let part = samples[100].at..<samples[200].at
        #expect(
            try await store.samples(of: Self.robot, in: Self.home, part)
                == Array(samples[100..<200]))
        #expect(
            try await store.span(of: Self.robot, in: Self.home)
                == samples[0].at...samples[1_999].at)
    }

    @Test func samplesThatComeInAnyOrderFindTheirPlaces() async throws {
        var generator = SeededGenerator(seed: 3)
        let samples = Self.samples(1_500)
        var rest = samples.shuffled(using: &generator)[...]
        while !rest.isEmpty {
            let part = rest.prefix(97)
            rest = rest.dropFirst(97)
            try await store.add(Array(part))
            if Bool.random(using: &generator) { try await store.maintainAll(at: samples.last) }
        }
        #expect(try await store.everySample == samples)
        try await store.maintainAll(at: samples.last)
        #expect(try await store.everySample == samples)
        try await expectMeans(of: samples, 300_000)
        try await expectMeans(of: samples, 3_600_000)
        try await expectMeans(of: samples, 7_000)
    }

    /// Two servers hear the same home; one is slower, and upkeep comes in between.
    @Test func twoWritersKeepNothingTwice() async throws {
        let other = GRDBSampleStore(besideLedger: "\(folder.path)/ledger.sqlite", .readWrite)
        let samples = Self.samples(300)
        for start in stride(from: 0, to: 300, by: 30) {
            let part = Array(samples[start..<start + 30])
            try await store.add(part)
            if start % 60 == 0 { try await store.maintainAll(at: part.last) }
            try await other.add(part)
            if start % 90 == 0 { try await other.maintainAll(at: part.last) }
        }
        try await store.maintainAll(at: samples.last)
        #expect(try await store.everySample == samples)
        try await expectMeans(of: samples, 300_000)
    }

    @Test func presenceIsKeptWhereItChangesAndEventsOnce() async throws {
        let other = GRDBSampleStore(besideLedger: "\(folder.path)/ledger.sqlite", .readWrite)
        func fact(_ second: Int, _ kind: RecordedFact.Kind, _ name: String) -> RecordedFact {
            RecordedFact(
                at: Timestamp(milliseconds: Self.start + second * 1_000), kind: kind, name: name,
                id: kind == .event ? "e\(second)" : "", detail: kind == .event ? ["n": 1] : [:])
        }
        let facts = [
            fact(0, .presence, "online"), fact(5, .event, "stuck"), fact(9, .presence, "offline"),
            fact(20, .presence, "online"),
        ]
        for store in [store, other] {
            var batch = HistoryBatch()
            batch.facts[RecordedDevice(Self.robot, in: Self.home)] =
                facts + [fact(30, .presence, "online")]
            try await store.add(batch)
        }
        #expect(
            try await store.facts(
                of: Self.robot, in: Self.home,
                Timestamp(milliseconds: 0)..<Timestamp(milliseconds: .max)) == facts)
    }

    // MARK: Retention

    @Test func samplesBecomeMeansOfMinutesAndThenOfHours() async throws {
        // A sample a minute for forty days, and upkeep each six hours.
        let samples = Self.samples(40 * 1_440, every: 60_000)
        for start in stride(from: 0, to: samples.count, by: 360) {
            let part = Array(samples[start..<min(start + 360, samples.count)])
            try await store.add(part)
            try await store.maintainAll(at: part.last)
        }
        let last = try #require(samples.last?.at.milliseconds)
        let kept = try await store.everySample
        let fine = kept.filter { !$0.isMean }
        #expect(fine == samples.suffix(fine.count))
        #expect((1_440...1_500).contains(fine.count))
        let steps = zip(kept, kept.dropFirst()).map { $1.at.since($0.at).wholeMilliseconds }
        #expect(steps.first == 3_600_000)
        #expect(Set(steps).isSubset(of: [3_600_000, 300_000, 60_000]))
        let minutes = kept.filter { $0.isMean && $0.at.milliseconds > last - 31 * 86_400_000 }
        #expect(minutes.count >= 29 * 288)
        // Whatever it is read from, the mean of an hour is that of all its samples.
        try await expectMeans(of: samples, 3_600_000)
        try await expectMeans(of: samples, 86_400_000)
        try await expectMeans(of: samples.suffix(20 * 1_440), 300_000)
        let hours = try await store.means(
            of: Self.robot, in: Self.home, samples[0].at..<samples[1].at, length: 3_600_000)
        #expect(hours.count == 1)
    }

    @Test func aSampleThatComesTwoDaysLateIsInTheMeans() async throws {
        let day = 17_280
        var samples = Self.samples(3 * day)
        let late = samples.remove(at: 700)
        for start in stride(from: 0, to: samples.count, by: 5_000) {
            try await store.add(Array(samples[start..<min(start + 5_000, samples.count)]))
            try await store.maintainAll(at: samples.last)
        }
        try await store.add([late])
        try await store.maintainAll(at: samples.last)
        try await store.maintainAll(at: samples.last)
        samples.insert(late, at: 700)
        try await expectMeans(of: samples, 300_000)
        try await expectMeans(of: samples, 3_600_000)
        // It does not hide the means of its hour.
        let hour = try await store.samples(
            of: Self.robot, in: Self.home,
            Timestamp(milliseconds: Self.start)..<Timestamp(milliseconds: Self.start + 3_600_000))
        #expect(hour.count == 12)
    }

    @Test func clocksThatJumpRemoveNothingAndFillNothing() async throws {
        let samples = Self.samples(720)
        try await store.add(samples)
        try await store.maintainAll(at: samples.last)
        // The wall clock is a century ahead, then before the epoch; nothing is older than the newest sample by a day.
        for wall in [Self.start + 100 * 365 * 86_400_000, 0, -5] {
            try await store.maintainAll(
                at: RecordedSample(at: Timestamp(milliseconds: wall), values: [:]))
            #expect(try await store.everySample == samples)
        }
        // A device whose clock is at random.
        var generator = SeededGenerator(seed: 11)
        let wild = (0..<600).map { n in
            RecordedSample(
                at: Timestamp(milliseconds: Int.random(in: -1 << 50...1 << 50, using: &generator)),
                values: ["x": 1], boot: .literal("b9"), n: n + 1)
        }
        try await store.add(wild, of: .literal("wild-1"))
        try await store.maintainAll(at: samples.last)
        #expect(try await store.everySample == samples)
        let kept = try await store.samples(
            of: .literal("wild-1"), in: Self.home,
            Timestamp(milliseconds: -1 << 51)..<Timestamp(milliseconds: 1 << 51))
        #expect(kept.count <= HistoryTier.allCases.map(\.mostBlocks).reduce(0, +))
    }

    @Test func factsGoAfterAYear() async throws {
        let year = HistoryTier.hours.age
        let facts = [0, 1, year].map { Self.event(after: $0) }
        try await store.add(facts)
        try await store.maintainAll(at: Self.sample(after: year))
        #expect(try await store.everyFact == facts)
        try await store.maintainAll(at: Self.sample(after: year + 1))
        #expect(try await store.everyFact == Array(facts.dropFirst()))
    }

    /// Of each kind: events take no room from presence.
    @Test func aBatchLeavesTenThousandEventsOfADevice() async throws {
        let online = RecordedFact(
            at: Timestamp(milliseconds: Self.start - 1), kind: .presence, name: "online")
        let events = (0..<10_005).map { Self.event(after: $0) }
        try await store.add([online] + events)
        #expect(try await store.everyFact == [online] + Array(events.suffix(10_000)))
    }

    /// A device may send 60 kB with each event; the file does not grow with their number.
    @Test func aBatchLeavesEightMebibytesOfEventsOfADevice() async throws {
        let other = [Self.event(after: 0)]
        try await store.add(other, of: .literal("lamp-1"))
        let events = (0..<400).map { Self.event(after: $0, size: 60_000) }
        for start in stride(from: 0, to: events.count, by: 50) {
            try await store.add(Array(events[start..<start + 50]))
        }
        let kept = try await store.everyFact
        #expect(kept.count == (8 << 20) / 60_008)
        #expect(kept == events.suffix(kept.count))
        #expect(try await store.facts(of: .literal("lamp-1")) == other)
        let inspection = HistoryInspection(besideLedger: "\(folder.path)/ledger.sqlite")
        #expect(inspection.size < 20 << 20)
    }

    /// Nor with the number of its samples: of an hour the newest mebibyte of texts is kept.
    @Test func upkeepLeavesOneMebibyteOfTextsOfAnHourOfADevice() async throws {
        let samples = (0..<400).map { index in
            RecordedSample(
                at: Timestamp(milliseconds: Self.start + index),
                values: ["x": .string("\(index)" + String(repeating: "0", count: 10_000 - 2))])
        }
        for start in stride(from: 0, to: samples.count, by: 50) {
            try await store.add(Array(samples[start..<start + 50]))
            try await store.maintainAll(at: samples.last)
        }
        let kept = try await store.everySample.filter { !$0.isMean }
        #expect(kept.count == (1 << 20) / 10_003)
        #expect(kept == samples.suffix(kept.count))
        let steady = Self.samples(720)
        try await store.add(steady, of: .literal("lamp-1"))
        try await store.maintainAll(at: samples.last)
        #expect(try await store.samples(of: .literal("lamp-1")) == steady)
        let inspection = HistoryInspection(besideLedger: "\(folder.path)/ledger.sqlite")
        #expect(inspection.size < 5 << 20)
    }

    @Test func aSampleKeepsItsNumbersWhereItsTextIsRemoved() async throws {
        let samples = (0..<300).map { index in
            RecordedSample(
                at: Timestamp(milliseconds: Self.start + index * 10_000),
                values: [
                    "x": .string("\(index)" + String(repeating: "0", count: 10_000 - 2)),
                    "y": .number(Double(index)),
                ])
        }
        for start in stride(from: 0, to: samples.count, by: 50) {
            try await store.add(Array(samples[start..<start + 50]))
            try await store.maintainAll(at: samples.last)
        }
        let withText = (1 << 20) / 10_003
        var expected = samples
        for index in 0..<(samples.count - withText) { expected[index].values["x"] = nil }
        #expect(try await store.everySample == expected)
    }

    /// An earlier version kept events of any size.
    @Test func upkeepRemovesWhatIsTooMuchInSmallSteps() async throws {
        try await store.add([Self.event(after: 0)])
        let other = try DatabaseQueue(path: store.path)
        try await other.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE count (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM count WHERE n < 300)
                    INSERT INTO fact SELECT device.id, 'event', \(Self.start) + n, 'stuck', '',
                        '{"x":"' || hex(zeroblob(30000)) || '"}'
                    FROM device, count
                    """)
        }
        try other.close()
        var steps = 0
        while try await store.maintain(at: Timestamp(milliseconds: Self.start)) { steps += 1 }
        #expect(steps == 3)
        let kept = try await store.everyFact
        #expect(kept.count == (8 << 20) / 60_008)
        #expect(kept.last?.at == Timestamp(milliseconds: Self.start + 300))
    }

    // MARK: Trouble

    @Test func aFullFileRefusesWholeBatchesAndGoesOnWithRoom() async throws {
        let small = GRDBSampleStore(
            besideLedger: "\(folder.path)/ledger.sqlite", .readWrite, mostPages: 40)
        let samples = Self.samples(4_000)
        var written = 0
        let error = await #expect(throws: HistoryError.self) {
            while written < samples.count {
                try await small.add(Array(samples[written..<written + 50]))
                written += 50
            }
        }
        #expect(error?.code == .full)
        #expect(written > 0)
        #expect(try await small.everySample == Array(samples.prefix(written)))
        try await store.add(Array(samples[written...]))
        #expect(try await store.everySample == samples)
    }

    @Test(arguments: ["header", "middle"])
    func aDamagedFileIsMovedAsideAndANewOneBegun(place: String) async throws {
        let samples = Self.samples(3_000)
        try await store.add(samples)
        try await store.maintainAll(at: samples.last)
        let path = store.path
        try #require(path.hasSuffix("ledger.sqlite-history"))
        // So that all is in the file, and nothing in its log.
        let other = try DatabaseQueue(path: path)
        _ = try await other.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try other.close()
        let file = try #require(fopen(path, "r+"))
        if place == "header" {
            fputs("no database", file)
        } else {
            fseek(file, 4_096, SEEK_SET)
            for _ in 0..<20_000 { fputc(0x5A, file) }
        }
        fclose(file)
        try folder.removeLog(of: "ledger.sqlite-history")
        let next = GRDBSampleStore(besideLedger: "\(folder.path)/ledger.sqlite", .readWrite)
        let error = await #expect(throws: HistoryError.self) { try await next.add(samples) }
        #expect(error?.code == .damaged)
        #expect("\(error as Any)".contains("was moved to \(path).damaged"))
        #expect(folder.has("ledger.sqlite-history.damaged"))
        try await next.add(samples)
        #expect(try await next.everySample == samples)
    }

    @Test func whoReadsMakesNoFileAndSeesWhatIsWrittenMeanwhile() async throws {
        let reader = GRDBSampleStore(besideLedger: "\(folder.path)/ledger.sqlite", .readOnly)
        #expect(try await reader.everySample.isEmpty)
        #expect(folder.names.isEmpty)
        let samples = Self.samples(100)
        try await store.add(Array(samples.prefix(50)))
        #expect(try await reader.everySample == Array(samples.prefix(50)))
        try await store.add(Array(samples.dropFirst(50)))
        try await store.maintainAll(at: samples.last)
        #expect(try await reader.everySample == samples)
        #expect(try folder.permissions(of: store.path) == 0o600)
    }

    @Test func aRemovedFileIsBegunAgain() async throws {
        let samples = Self.samples(20)
        try await store.add(samples)
        for name in folder.names { unlink("\(folder.path)/\(name)") }
        try await store.add(samples)
        #expect(folder.has("ledger.sqlite-history"))
        #expect(try await store.everySample == samples)
    }

    @Test func aFileOfAnotherProgramOrANewerVersionStays() async throws {
        let other = try DatabaseQueue(path: store.path)
        try await other.write { try $0.execute(sql: "CREATE TABLE t (x)") }
        chmod(store.path, 0o644)
        let foreign = await #expect(throws: HistoryError.self) {
            try await store.add(Self.samples(1))
        }
        #expect(foreign?.code == .unwritable)
        try await other.write { db in
            try db.execute(sql: "PRAGMA application_id = \(0x4850_4849); PRAGMA user_version = 99")
        }
        let newer = await #expect(throws: HistoryError.self) {
            try await store.add(Self.samples(1))
        }
        #expect(newer?.code == .newerSchema)
        #expect(!folder.has("ledger.sqlite-history.damaged"))
        #expect(try folder.permissions(of: store.path) == 0o644)
    }

    @Test func aFileThatWasRestoredIsClosedToOthers() async throws {
        try await store.add(Self.samples(1))
        let files = ["", "-wal", "-shm"].map { store.path + $0 }
        for file in files { try #require(chmod(file, 0o644) == 0, "\(file)") }
        let next = GRDBSampleStore(besideLedger: "\(folder.path)/ledger.sqlite", .readWrite)
        try await next.add(Self.samples(2))
        for file in files { #expect(try folder.permissions(of: file) == 0o600, "\(file)") }
    }

    // MARK: Samples

    /// Samples of a device every five seconds.
    static func samples(_ count: Int, every length: Int = 5_000) -> [RecordedSample] {
        (0..<count).map { index in
            RecordedSample(
                at: Timestamp(milliseconds: start + index * length),
                values: [
                    "power": .number(Double(index * 7_919 % 10_007) / 10), "mode": "auto",
                    "level": .number(Double(index % 100)),
                ], boot: .literal("b1"), n: index + 1)
        }
    }

    /// An event so many milliseconds after the start, with a text of a size.
    private static func event(after time: Int, size: Int = 1) -> RecordedFact {
        RecordedFact(
            at: Timestamp(milliseconds: start + time), kind: .event, name: "stuck",
            detail: ["x": .string(String(repeating: "0", count: size))])
    }

    private static func sample(after time: Int) -> RecordedSample {
        RecordedSample(at: Timestamp(milliseconds: start + time), values: [:])
    }

    /// The means that are read are those that a loop computes.
    private func expectMeans(of samples: some Collection<RecordedSample>, _ length: Int)
        async throws
    {
        var sums: [Int: (power: Double, level: Double, count: Int)] = [:]
        for sample in samples {
            let start = sample.at.milliseconds / length * length
            var sum = sums[start] ?? (0, 0, 0)
            sum.power += sample.values["power"]?.number ?? 0
            sum.level += sample.values["level"]?.number ?? 0
            sum.count += 1
            sums[start] = sum
        }
        let first = try #require(sums.keys.min())
        let last = try #require(sums.keys.max())
        let found = try await store.means(
            of: Self.robot, in: Self.home,
            Timestamp(milliseconds: first)..<Timestamp(milliseconds: last + 1), length: length)
        #expect(found.map(\.at.milliseconds) == sums.keys.sorted())
        for sample in found {
            guard let sum = sums[sample.at.milliseconds] else { continue }
            let power = try #require(sample.values["power"]?.number)
            let level = try #require(sample.values["level"]?.number)
            // A mean has three decimals more than its numbers, and is rounded each time something comes in.
            #expect((power - sum.power / Double(sum.count)).magnitude < 0.001)
            #expect((level - sum.level / Double(sum.count)).magnitude < 0.01)
            #expect(sample.values["mode"] == nil)
        }
    }
}

extension TemporaryFolder {
    fileprivate func removeLog(of name: String) throws {
        for end in ["-wal", "-shm"] { unlink("\(path)/\(name)\(end)") }
    }
}
