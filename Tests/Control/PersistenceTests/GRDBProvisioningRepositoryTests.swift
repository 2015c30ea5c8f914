import DeviceDomain
import Persistence
import Provisioning
import TestSupport
import Testing

@Suite(.onEveryDatabase, .timeLimit(.minutes(2))) struct GRDBProvisioningRepositoryTests {
    private let repository: any ProvisioningRepository
    private let home: HomeID

    init() async throws {
        repository = try await LedgerHouse.requireCurrent().provisioning()
        home = try HomeID("home-1")
    }

    private func record(_ attempt: String, _ label: String = "PROV_1") throws
        -> ProvisioningRecord
    {
        ProvisioningRecord(
            attempt: try #require(ProvisioningAttemptID(rawValue: attempt)), home: home,
            label: label, device: try DeviceID("prov-1"),
            startedAt: Timestamp(milliseconds: 1_764_000_000_000))
    }

    @Test func everyStepIsReadBackByAnotherProcess() async throws {
        var record = try record("0123456789abcdef")
        try await repository.add(record)
        let other = try await LedgerHouse.requireCurrent().provisioning()
        for step in ProvisioningRecord.Step.allCases {
            record.step = step
            record.nonce = ClaimNonce(rawValue: "nonce-\(step.rawValue)")
            record.serial = "serial-\(step.rawValue)"
            record.revision += 1
            try await repository.update(record)
            #expect(try await other.latest(of: "PROV_1", in: home) == record)
        }
        #expect(try await repository.latest(of: "PROV_2", in: home) == nil)
        #expect(try await repository.latest(of: "PROV_1", in: try HomeID("home-2")) == nil)
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
        first.step = .provisioned
        first.revision = 2
        try await repository.update(first)
        try await repository.add(second)
        #expect(try await repository.latest(of: "PROV_1", in: home) == second)
        var failed = second
        failed.step = .rolledBack
        failed.revision = 2
        try await repository.update(failed)
        #expect(try await repository.latest(of: "PROV_1", in: home) == first)
    }
}
