import DeviceDomain
import Persistence
import Provisioning
import TestSupport
import Testing

@Suite(.onEveryDatabase, .timeLimit(.minutes(2))) struct GRDBCommissioningRepositoryTests {
    private static let label = "00112233445566778899aabbccddeeff"
    private let repository: any CommissioningRepository
    private let home: HomeID
    private let channel: ChannelID

    init() async throws {
        repository = try await LedgerHouse.requireCurrent().commissioning()
        home = try HomeID("home-1")
        channel = try ChannelID("house")
    }

    private func record(_ attempt: String) throws -> CommissioningRecord {
        CommissioningRecord(
            attempt: try #require(ProvisioningAttemptID(rawValue: attempt)), home: home,
            channel: channel, label: Self.label,
            startedAt: Timestamp(milliseconds: 1_764_000_000_000))
    }

    @Test func everyStepIsReadBackByAnotherProcess() async throws {
        var record = try record("0123456789abcdef")
        try await repository.add(record)
        let other = try await LedgerHouse.requireCurrent().commissioning()
        for step in CommissioningRecord.Step.allCases {
            record.step = step
            record.askedAt = Timestamp(milliseconds: 1_764_000_000_500)
            record.formerNodes = [7, .max]
            record.node = .max
            record.revision += 1
            try await repository.update(record)
            #expect(try await other.latest(of: Self.label, on: channel, in: home) == record)
        }
        #expect(try await repository.latest(of: "0", on: channel, in: home) == nil)
        #expect(
            try await repository.latest(of: Self.label, on: try ChannelID("other"), in: home)
                == nil)
        #expect(
            try await repository.latest(of: Self.label, on: channel, in: try HomeID("home-2"))
                == nil)
    }

    @Test func onlyOneOfTwoProcessesGoesOn() async throws {
        var record = try record("0123456789abcdef")
        try await repository.add(record)
        record.revision = 2
        try await repository.update(record)
        await #expect(throws: ProvisioningError.self) { try await repository.update(record) }
    }

    @Test func ofOneDeviceAtMostOneAttemptIsOpen() async throws {
        var first = try record("0123456789abcdef")
        try await repository.add(first)
        let second = try record("fedcba9876543210")
        await #expect(throws: ProvisioningError.self) { try await repository.add(second) }
        first.step = .rolledBack
        first.revision = 2
        try await repository.update(first)
        try await repository.add(second)
        #expect(try await repository.latest(of: Self.label, on: channel, in: home) == second)
    }

    @Test func whatCannotBeIsRefusedByTheTable() async throws {
        var record = try record("0123456789abcdef")
        try await repository.add(record)
        record.revision = 2
        for step in [CommissioningRecord.Step.commissioning, .finalizing, .provisioned] {
            record.step = step
            await #expect(throws: ProvisioningError.self) { try await repository.update(record) }
        }
    }
}
