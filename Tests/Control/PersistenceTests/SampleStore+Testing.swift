import DeviceDomain
import History
import Testing

extension SampleStore {
    /// Adds samples of the robot, or of another device.
    func add(
        _ samples: [RecordedSample], of device: DeviceID = HistoryStoreTests.robot
    ) async throws {
        var batch = HistoryBatch()
        batch.samples[RecordedDevice(device, in: HistoryStoreTests.home)] = samples
        try await add(batch)
    }

    /// Adds facts about the robot, or about another device.
    func add(_ facts: [RecordedFact], of device: DeviceID = HistoryStoreTests.robot) async throws {
        var batch = HistoryBatch()
        batch.facts[RecordedDevice(device, in: HistoryStoreTests.home)] = facts
        try await add(batch)
    }

    /// Every fact about a device.
    func facts(of device: DeviceID) async throws -> [RecordedFact] {
        try await facts(
            of: device, in: HistoryStoreTests.home,
            Timestamp(milliseconds: -1 << 51)..<Timestamp(milliseconds: 1 << 51))
    }

    /// Every fact about the robot.
    var everyFact: [RecordedFact] {
        get async throws { try await facts(of: HistoryStoreTests.robot) }
    }

    /// Every sample of a device that is kept.
    func samples(of device: DeviceID) async throws -> [RecordedSample] {
        try await samples(
            of: device, in: HistoryStoreTests.home,
            Timestamp(milliseconds: -1 << 51)..<Timestamp(milliseconds: 1 << 51))
    }

    /// Everything that is kept of the robot.
    var everySample: [RecordedSample] {
        get async throws { try await samples(of: HistoryStoreTests.robot) }
    }

    /// Does all that is to be done when the wall clock shows the time of a sample.
    func maintainAll(at sample: RecordedSample?) async throws {
        let now = try #require(sample?.at)
        while try await maintain(at: now) {}
    }
}
