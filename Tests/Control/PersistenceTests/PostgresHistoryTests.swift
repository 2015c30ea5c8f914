import Basics
import DeviceDomain
import Glibc
import History
import Persistence
import PostgresPersistence
import TestSupport
import Testing

/// A history in the database of the ledger. Its clock moves only when a test moves it.
@Suite(.timeLimit(.minutes(2))) struct PostgresHistoryTests {
    private static let robot = HistoryStoreTests.robot
    private static let home = HistoryStoreTests.home
    private static let day = 86_400_000
    /// The beginning of a day, which the clock of the database shows.
    private static let today = HistoryStoreTests.start / day * day

    @Test func samplesComeBackAsTheyWereHeard() async throws {
        try await withStores { store, other, _ in
            var samples = Self.samples(12_000)
            samples[0].values["text"] = "a\u{0}b \\ \" ' ☃ {}"
            for start in stride(from: 0, to: samples.count, by: 7_000) {
                try await store.add(Array(samples[start...].prefix(7_000)))
            }
            #expect(try await other.everySample == samples)
            let part = samples[100].at..<samples[200].at
            #expect(
                try await other.samples(of: Self.robot, in: Self.home, part)
                    == samples.filter { part.contains($0.at) })
            #expect(
                try await other.span(of: Self.robot, in: Self.home)
                    == samples[0].at...samples[11_999].at)
            #expect(try await other.span(of: .literal("other-1"), in: Self.home) == nil)
            #expect(try await other.span(of: Self.robot, in: .literal("home-2")) == nil)
        }
    }

    /// A new owner of a home hears again what the former one has written, and one writes while the other does.
    @Test func twoWritersKeepNothingTwice() async throws {
        try await withStores { store, other, database in
            let samples = Self.samples(400)
            for start in stride(from: 0, to: 400, by: 50) {
                let part = Array(samples[start..<start + 50])
                async let first: Void = store.add(part)
                async let second: Void = other.add(part)
                _ = try await (first, second)
                try await other.add(Array(samples[max(0, start - 20)..<start + 50]))
            }
            #expect(try await store.everySample == samples)
            #expect(
                try await database.execute(
                    "SELECT count(*), count(DISTINCT (home, device, boot, n)) FROM sample")
                    == "400|400\n")
        }
    }

    @Test func meansAreThoseOfTheSamples() async throws {
        try await withStores { store, _, _ in
            let samples = Self.samples(1_000)
            try await store.add(samples)
            for length in [7_000, 300_000, 3_600_000] {
                let means = try await store.means(
                    of: Self.robot, in: Self.home, samples[50].at..<samples[900].at, length: length)
                let first = samples[50].at.milliseconds.period(of: length) * length
                let last = (samples[900].at.milliseconds - 1).period(of: length) * length + length
                let naive = NaivePowers(
                    samples.filter { (first..<last).contains($0.at.milliseconds) }, length)
                #expect(means.map(\.at.milliseconds) == naive.means.keys.sorted())
                for mean in means {
                    let power = try #require(mean.values["power"]?.number)
                    let expected = try #require(naive.means[mean.at.milliseconds])
                    #expect((power - expected).magnitude < 0.001)
                    #expect(mean.isMean && mean.values["mode"] == nil)
                }
            }
        }
    }

    @Test func presenceIsKeptWhereItChangesAndEventsOnce() async throws {
        try await withStores { store, other, _ in
            func fact(_ second: Int, _ kind: RecordedFact.Kind, _ name: String) -> RecordedFact {
                RecordedFact(
                    at: Timestamp(milliseconds: Self.today + second * 1_000), kind: kind,
                    name: name, id: kind == .event ? "e\(second)" : "",
                    detail: kind == .event ? ["n": 1, "text": "\u{0}"] : [:])
            }
            let facts = [
                fact(0, .presence, "online"), fact(5, .event, "stuck"),
                fact(9, .presence, "offline"), fact(20, .presence, "online"),
            ]
            for store in [store, other] {
                var batch = HistoryBatch()
                batch.facts[RecordedDevice(Self.robot, in: Self.home)] =
                    facts + [fact(30, .presence, "online")]
                batch.facts[RecordedDevice(.literal("other-1"), in: Self.home)] = [
                    fact(1, .presence, "offline")
                ]
                try await store.add(batch)
            }
            // The next owner finds the device as it was.
            var later = HistoryBatch()
            later.facts[RecordedDevice(Self.robot, in: Self.home)] = [fact(40, .presence, "online")]
            try await other.add(later)
            #expect(
                try await store.facts(
                    of: Self.robot, in: Self.home,
                    Timestamp(milliseconds: 0)..<Timestamp(milliseconds: .max)) == facts)
        }
    }

    // MARK: Days

    @Test func aDayIsDroppedWhenItsLastMomentIsTooOld() async throws {
        try await withStores(keptFor: .seconds(2 * 86_400)) { store, _, database in
            for day in 0..<6 {
                try await Self.set(database, Self.today + day * Self.day + 1_000)
                try await store.add([Self.sample(Self.today + day * Self.day, n: day + 1)])
                while try await store.maintain(at: Timestamp(milliseconds: 0)) {}
                let kept = try await store.everySample.compactMap(\.n)
                #expect(kept == Array(max(1, day - 1)...day + 1), "day \(day)")
            }
            // Both tables of today, tomorrow and the two days before.
            #expect(try await Self.tables(database) == 2 * 4)
        }
    }

    @Test func clocksThatAreWrongOpenNoMoreDays() async throws {
        try await withStores { store, _, database in
            var generator = SeededGenerator(seed: 11)
            let wild = (0..<600).map { n in
                Self.sample(Int.random(in: -1 << 50...1 << 50, using: &generator), n: n + 1)
            }
            try await store.add(wild + [Self.sample(.min, n: 601), Self.sample(.max, n: 602)])
            #expect(try await store.everySample == wild.inOrder)
            #expect(
                try await database.execute("SELECT count(*) FROM sample") == "602\n")
            #expect(try await Self.tables(database) == 2 * 3)
        }
    }

    @Test func aTableThatSomebodyDroppedIsMadeAgain() async throws {
        try await withStores { store, _, database in
            let samples = Self.samples(20)
            try await store.add(samples)
            try await database.execute("DROP TABLE sample_\(Self.today / Self.day)")
            await #expect(throws: HistoryError.self) { try await store.add(samples) }
            try await store.add(samples)
            #expect(try await store.everySample == samples)
        }
    }

    @Test func manyThatBeginTogetherOpenADayOnce() async throws {
        try await withStores { store, other, database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, store) in [store, other, store, other].enumerated() {
                    group.addTask {
                        try await store.add([Self.sample(Self.today + number, n: number + 1)])
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.everySample.count == 4)
            #expect(try await Self.tables(database) == 2 * 3)
        }
    }

    // MARK: Trouble

    @Test func aServerThatIsGoneIsUnreachableAndNothingIsHalfDone() async throws {
        try await withPostgreSQLServer { server, database in
            var limits = PostgresLimits()
            limits.pauses = []
            let opened = try await LedgerHouse(.postgresql(database)).openPostgreSQL(limits)
            defer { opened.close() }
            let store = PostgresSampleStore(opened, keptFor: .seconds(86_400))
            let samples = Self.samples(10)
            try await store.add(samples)
            await server.end(SIGQUIT)
            let error = await #expect(throws: HistoryError.self) { try await store.add(samples) }
            #expect(error?.code == .unreachable)
            try await server.start()
            try await store.add(samples)
            #expect(try await store.everySample == samples)
        }
    }

    @Test func aReaderRemovesNothing() async throws {
        try await withStores(keptFor: nil) { store, _, database in
            try await store.add(Self.samples(5))
            try await Self.set(database, Self.today + 500 * Self.day)
            #expect(try await store.maintain(at: Timestamp(milliseconds: 0)) == false)
            #expect(try await store.everySample.count == 5)
        }
    }

    // MARK: Parts

    /// Two stores of two processes, and their database.
    private func withStores(
        keptFor age: Duration? = .seconds(86_400),
        _ body: (PostgresSampleStore, PostgresSampleStore, PostgreSQLDatabase) async throws -> Void
    ) async throws {
        try await withPostgreSQL { database in
            let house = LedgerHouse(.postgresql(database))
            let (one, other) = (try await house.openPostgreSQL(), try await house.openPostgreSQL())
            try await Self.set(database, Self.today + 1_000)
            try await body(
                PostgresSampleStore(one, keptFor: age), PostgresSampleStore(other, keptFor: age),
                database)
            one.close()
            other.close()
        }
    }

    private static func set(_ database: PostgreSQLDatabase, _ milliseconds: Int) async throws {
        try await LedgerHouse(.postgresql(database)).setClock(Timestamp(milliseconds: milliseconds))
    }

    /// How many tables of days there are.
    private static func tables(_ database: PostgreSQLDatabase) async throws -> Int? {
        Int(
            try await database.execute(
                "SELECT count(*) FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE relkind = 'r'"
            ).dropLast())
    }

    private static func samples(_ count: Int) -> [RecordedSample] {
        HistoryStoreTests.samples(count)
    }

    private static func sample(_ at: Int, n: Int) -> RecordedSample {
        RecordedSample(
            at: Timestamp(milliseconds: at), values: ["x": 1], boot: .literal("b1"), n: n)
    }
}

/// Means of one signal as a child would compute them.
private struct NaivePowers {
    let means: [Int: Double]

    init(_ samples: [RecordedSample], _ length: Int) {
        let periods = Dictionary(grouping: samples) {
            $0.at.milliseconds.period(of: length) * length
        }
        means = periods.mapValues { samples in
            samples.reduce(0) { $0 + ($1.values["power"]?.number ?? 0) } / Double(samples.count)
        }
    }
}
