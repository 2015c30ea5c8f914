import HomeportTesting
import TestSupport
import Testing

@testable import Homeport

/// What rules would have done in a recorded past.
@Suite(.timeLimit(.minutes(1))) struct RuleRehearsalTests {
    private let channel: ScriptedChannel
    private let house: ScriptedHouse
    private let folder: TemporaryFolder
    private let store = DeviceID.literal("store-1")
    private let start = Timestamp(milliseconds: 1_764_000_000_000)
    private let utc = LocalCalendar { _ in 0 }

    init() throws {
        channel = ScriptedChannel(id: try ChannelID("test"))
        house = try ScriptedHouse(channel)
        folder = try TemporaryFolder()
        try house.announce("store-e10", as: "store-1")
        try house.announce("store-e10", as: "store-2")
        try house.announce("sweeper-s1", as: "sweeper-1")
    }

    @Test func aComparisonThatHeldIsFound() async throws {
        let charges: [Double] = [50, 19, 18, 17, 16, 30, 19, 25, 10, 10, 10, 10]
        try await withPast(charges) { home in
            try await add("stateOfChargePercent<20", home) { $0.hold = .seconds(180) }
            let rehearsal = try await rehearse(home)
            #expect(rehearsal.runs.map { $0.at.since(start) } == [.seconds(240), .seconds(660)])
            #expect(rehearsal.runs.first?.device == store)
            #expect(rehearsal.runs.first?.cause.contains("reports stateOfChargePercent 16") == true)
            #expect(rehearsal.deviceCount == 2)
            #expect(rehearsal.recordCount == charges.count)
            #expect(rehearsal.unrecorded.isEmpty && !rehearsal.hasMeans)
            // Nothing was sent.
            #expect(try await home.history().isEmpty)
            #expect(try await home.rules.list().first?.lastRun == nil)
        }
    }

    @Test func eventsAndPresenceAreFound() async throws {
        let facts = [
            RecordedFact(at: at(10), kind: .presence, name: "online"),
            RecordedFact(at: at(60), kind: .event, name: "grid-lost"),
            RecordedFact(at: at(90), kind: .presence, name: "offline"),
            RecordedFact(at: at(400), kind: .presence, name: "online"),
            RecordedFact(at: at(500), kind: .event, name: "grid-lost"),
            RecordedFact(at: at(600), kind: .presence, name: "offline"),
        ]
        try await withPast([], facts) { home in
            try await add("event=grid-lost", home)
            try await add("presence=offline", home) { $0.hold = .seconds(300) }
            #expect(
                try await rehearse(home).runs.map { $0.at.since(start) } == [
                    .seconds(60), .seconds(500),
                ])
            #expect(
                try await rehearse(home, "presence=offline").runs.map { $0.at.since(start) }
                    == [.seconds(390), .seconds(900)])
        }
    }

    @Test func aTimeRunsForTheDevicesThatMetTheCondition() async throws {
        // 2025-11-24T16:00Z; a sample a minute.
        try await withPast([50, 50, 10, 10]) { home in
            try await add("at=16:01", home) {
                $0.conditions = [try DeviceCondition("stateOfChargePercent>20")]
            }
            let runs = try await rehearse(home).runs
            #expect(runs.map { $0.at.since(start) } == [.seconds(60)])
            #expect(runs.first?.device == nil)
            #expect(runs.first?.targets == [store])
        }
    }

    @Test func aTimeWithoutDevicesIsFound() async throws {
        try await withPast([]) { home in
            try await add("at=16:01", home) { $0.scope = .everyDevice }
            let rehearsal = try await home.rules.rehearse(
                "at=16:01", from: start, to: at(3 * 86_400), in: utc)
            #expect(rehearsal.runs.count == 3)
            #expect(rehearsal.deviceCount == 0)
        }
    }

    @Test func whatIsNotRecordedIsNamed() async throws {
        try await withPast([50]) { home in
            try await add("reservePercent<20", home) {
                $0.conditions = [try DeviceCondition("mode=backup")]
            }
            let rehearsal = try await rehearse(home)
            #expect(rehearsal.runs.isEmpty)
            #expect(rehearsal.unrecorded == ["reservePercent", "mode"])
        }
    }

    // MARK: Steps

    private func at(_ seconds: Int) -> Timestamp { start.advanced(by: .seconds(seconds)) }

    /// Runs `body` in a home of whose first store these charges were kept, one a minute, and these facts.
    private func withPast(
        _ charges: [Double], _ facts: [RecordedFact] = [], _ body: (Home) async throws -> Void
    ) async throws {
        try await house.withHome(ledger: .file("\(folder.path)/ledger.sqlite")) { home in
            _ = try await home.devices()
            try await home.rememberDevices()
            let samples: any SampleStore = try #require(
                try await home.historyStores.storeForWriting())
            var batch = HistoryBatch()
            let device = RecordedDevice(store, in: house.id)
            batch.samples[device] = charges.enumerated().map { minute, charge in
                RecordedSample(
                    at: at(minute * 60), values: ["stateOfChargePercent": .number(charge)],
                    n: minute + 1)
            }
            batch.facts[device] = facts
            try await samples.add(batch)
            try await body(home)
        }
    }

    /// Adds a rule about stores that has its trigger as its name.
    private func add(
        _ when: String, _ home: Home, _ change: (inout RuleDraft) throws -> Void = { _ in }
    ) async throws {
        var draft = RuleDraft(
            name: try GivenName(when), trigger: try RuleTrigger(when), actions: [.notify])
        draft.scope = .kind(.energyStore)
        try change(&draft)
        _ = try await home.rules.add(draft)
    }

    private func rehearse(_ home: Home, _ rule: String = "1") async throws -> RuleRehearsal {
        try await home.rules.rehearse(rule, from: start, to: at(3_600), in: utc)
    }
}
