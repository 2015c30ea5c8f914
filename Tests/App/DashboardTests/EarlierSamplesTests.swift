import DeviceDomain
import History
import SharedPresentation
import TestSupport
import Testing

/// Charts and trails begin with what was kept before the app ran.
@MainActor @Suite(.timeLimit(.minutes(1))) struct EarlierSamplesTests {
    private static let now = 1_764_000_000_000
    private let home: FakeHome

    init() throws { home = try FakeHome() }

    @Test func chartsAndTrailsBeginWithWhatWasKept() async throws {
        try home.announce("sweeper-s1", as: "robot-1")
        try home.keep(kept, of: "robot-1")
        let memory = HomeMemory(home)
        let run = Task { await memory.run() }
        defer { run.cancel() }
        await until { memory.devices[.literal("robot-1")]?.samples["x"] != nil }
        let device = try #require(memory.devices[.literal("robot-1")])
        let x = try #require(device.samples["x"])
        #expect(x.lastHour.map(\.value) == [1, 2, 3])
        #expect(x.lastDay.map(\.value) == [7, 8])
        #expect(device.trail == [1, 2, 3].map { FloorPoint(x: $0, y: 0) })
        #expect(device.sampledAt == Timestamp(milliseconds: Self.now - 10_000))
        // What is heard comes behind it.
        try home.sample(["x": 4, "y": 0], of: "robot-1", secondsLater: 10)
        await until { device.trail.count == 4 }
        #expect(device.samples["x"]?.lastHour.map(\.value) == [1, 2, 3, 4])
    }

    /// Reading takes a while: what was heard meanwhile is not doubled and does not go.
    @Test func whatWasHeardMeanwhileStays() async throws {
        try home.announce("sweeper-s1", as: "robot-1")
        let memory = HomeMemory(home)
        let run = Task { await memory.run() }
        defer { run.cancel() }
        await until { memory.devices[.literal("robot-1")] != nil }
        let device = try #require(memory.devices[.literal("robot-1")])
        try home.sample(["x": 3, "y": 0], of: "robot-1", secondsLater: -10)
        await until { device.trail.count == 1 }
        try home.sample(["x": 4, "y": 0], of: "robot-1")
        await until { device.trail.count == 2 }
        device.begin(with: kept)
        #expect(device.samples["x"]?.lastHour.map(\.value) == [1, 2, 3, 4])
        #expect(device.samples["x"]?.lastDay.map(\.value) == [7, 8, 3, 4])
        #expect(device.trail == [1, 2, 3, 4].map { FloorPoint(x: $0, y: 0) })
    }

    @Test func aHistoryThatCannotBeReadLeavesTheRestAsItIs() async throws {
        try home.announce("sweeper-s1", as: "robot-1")
        home.fail(Failure("the history is damaged", .tryAgain))
        let memory = HomeMemory(home)
        let run = Task { await memory.run() }
        defer { run.cancel() }
        await until { memory.devices[.literal("robot-1")] != nil }
        try home.sample(["x": 3, "y": 0], of: "robot-1")
        await until { memory.devices[.literal("robot-1")]?.trail.count == 1 }
    }

    private var kept: EarlierSamples {
        EarlierSamples(
            lastHour: [(-30_000, 1.0), (-20_000, 2), (-10_000, 3)].map { sample($0, $1) },
            lastDay: [(-7_200_000, 7.0), (-3_600_000, 8)].map { sample($0, $1) })
    }

    private func sample(_ offset: Int, _ x: Double) -> RecordedSample {
        RecordedSample(
            at: Timestamp(milliseconds: Self.now + offset), values: ["x": .number(x), "y": 0])
    }
}
