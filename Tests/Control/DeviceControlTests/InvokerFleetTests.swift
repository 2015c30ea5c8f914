import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeportTesting
import TestSupport
import Testing

/// A thousand devices at once: the link gets their commands and questions 256 at a time.
@Suite(.timeLimit(.minutes(1))) struct InvokerFleetTests {
    private static let devices = 1_000
    private static let atOnce = 256

    @Test func aFleetThatReturnsIsServedALittleAtATime() async throws {
        let bench = try InvokerBench()
        try await bench.invoker.whileRunning {
            let orders = try (0..<Self.devices).map { number in
                try bench.order(.locate, for: bench.robot(id: DeviceID("robot-\(number)")))
            }
            for _ in orders { bench.channel.answer(.hold) }
            async let submitted = bench.invoker.submit(orders)
            var sent: Set<CommandID> = []
            while sent.count < Self.devices {
                for _ in 0..<min(Self.atOnce, Self.devices - sent.count) {
                    sent.insert(try #require(await bench.nextSend()).id)
                }
                bench.channel.answerHeld(.success(.confirmed))
                for id in sent { _ = try await bench.invoker.outcome(of: id, goal: .delivered) }
                let delivered = try await bench.ledger.history(HistoryQuery(limit: Self.devices))
                    .filter { $0.state == .sent }
                #expect(Set(delivered.map(\.id)) == sent, "the others wait")
            }
            _ = try await submitted
        }
    }

    @Test func aDeviceWithManyCommandsHoldsUpNoOther() async throws {
        let bench = try InvokerBench()
        try await bench.invoker.whileRunning {
            let busy = try bench.order(.locate, for: bench.robot(id: DeviceID("robot-0")))
            let others = try (1..<Self.atOnce).map { number in
                try bench.order(.locate, for: bench.robot(id: DeviceID("robot-\(number)")))
            }
            for _ in 0..<Self.atOnce { bench.channel.answer(.hold) }
            async let submitted = bench.invoker.submit(Array(repeating: busy, count: 400) + others)
            var served: Set<DeviceID> = []
            for _ in 0..<Self.atOnce {
                served.insert(try #require(await bench.nextSend()).command.intent.device)
            }
            #expect(served.count == Self.atOnce)
            bench.channel.answerHeld(.success(.confirmed))
            _ = try await submitted
        }
    }

    @Test func afterARestartALargeHomeIsAskedALittleAtATime() async throws {
        let dead = InMemoryCommandLedger()
        let bench = try InvokerBench(ledger: dead.anotherProcess())
        let robots = try (0..<Self.devices).map { try bench.robot(id: DeviceID("robot-\($0)")) }
        for robot in robots { try await leaveSent(robot, in: dead, of: bench) }
        dead.die()
        bench.channel.holdQuestions()
        try await bench.invoker.whileRunning {
            let resumed = try await bench.invoker.resume(in: bench.home) { _ in
                robots.reduce(into: [:]) { $0[$1.id] = LocatedDevice(device: $1) }
            }
            #expect(resumed.count == Self.devices)
            let answer = Dictionary(uniqueKeysWithValues: resumed.map { ($0, forgotten) })
            var asked: Set<CommandID> = []
            while asked.count < Self.devices {
                for _ in 0..<min(Self.atOnce, Self.devices - asked.count) {
                    asked.formUnion(try #require(await bench.nextQuestion()))
                }
                bench.channel.answerHeldQuestions(.success(answer))
                for id in asked { _ = try await bench.invoker.outcome(of: id) }
                let answered = try await bench.ledger.history(HistoryQuery(limit: Self.devices))
                    .filter { $0.state == .unknown }
                #expect(Set(answered.map(\.id)) == asked, "the others wait")
            }
        }
    }

    private let forgotten = RecordedOutcome.forgotten

    /// Leaves a command behind that the device may have.
    private func leaveSent(
        _ robot: SweepingRobot, in ledger: InMemoryCommandLedger, of bench: InvokerBench
    ) async throws {
        let now = bench.clock.now.wall
        let intent = CommandIntent(
            id: CommandID(at: now), controller: bench.controller,
            home: bench.home, device: robot.id, name: .locate, sort: .instant, issuedAt: now,
            expiresAt: now.advanced(by: .seconds(30)))
        var progress = CommandProgress(
            step: 1, state: .sent, timings: CommandTimings(createdAt: now))
        progress.mayHaveLeft = true
        try await ledger.accept(intent, opening: progress, channel: bench.channel.id)
    }
}
