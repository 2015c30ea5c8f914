import Basics
import HomeportTesting
import Persistence
import TestSupport
import Testing

@testable import Homeport

/// Rules of a home over scripted channels, on clocks that the tests move.
@Suite(.timeLimit(.minutes(1))) struct RulesTests {
    private let channel: ScriptedChannel
    private let house: ScriptedHouse
    private let robot = DeviceID.literal("sweeper-1")
    private let store = DeviceID.literal("store-1")
    private let clock = ManualClock()
    private let calendar = LocalCalendar { _ in 0 }

    init() throws {
        channel = ScriptedChannel(id: try ChannelID("test"))
        house = try ScriptedHouse(channel)
        try house.announce("sweeper-s1", as: robot.text)
        try house.announce("store-e10", as: store.text)
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
    }

    @Test func aRuleSendsItsCommandAndTellsTheUser() async throws {
        try await withHome { home in
            let rule = try await add("stuck", "event=stuck", [.send("locate", [:]), .notify], home)
            try await running(home) { server in
                event(.stuck)
                let run = try await server.run()
                #expect(run.run.cause.hasSuffix("reported stuck"))
                let record = try #require(try await home.history().first)
                #expect(record.intent.cause == "rule:\(rule.id):\(run.id)")
                #expect(run.outcome == "locate for sweeper-1, id \(record.id), notification issued")
                #expect(try await home.rules.run(ofCause: record.intent.cause) == run)
                #expect(server.told.withLock { $0.map(\.text) } == [run.run.cause])
                #expect(try await home.rules.list().first?.lastRun?.cause == run.run.cause)
            }
        }
    }

    @Test func twoServersRunAnOccasionOnce() async throws {
        try await withFile { ledger in
            try await withHome(ledger) { home in
                _ = try await add("stuck", "event=stuck", [.send("locate", [:])], home)
                try await running(home) { first in
                    try await running(home) { _ in
                        for _ in 0..<2 {
                            event(.stuck)
                            _ = try await first.run()
                        }
                    }
                }
                // The next one has nothing to do any more.
                try await running(home) { _ in
                    #expect(try await home.history().count == 2)
                    _ = try await home.rules.list()
                }
            }
        }
    }

    @Test func theServerThatWaitsGoesOnWithWhatTheOtherHasLeft() async throws {
        try await withFile { ledger in
            try await withHome(ledger) { home in
                let rule = try await add("stuck", "event=stuck", [.send("locate", [:])], home)
                // A server that died after it had taken a run.
                let storage = try await home.lifetime.storage()
                let role = try #require(try storage.take("rules-home-1-homeport"))
                try await running(home) { server in
                    let id = try #require(
                        try await storage.rules.begin(
                            run(of: rule, "event:died"),
                            RuleWatchKey(rule: rule.id, device: robot), RuleWatch()))
                    // It did not hear this event any more.
                    event(.stuck)
                    _ = await clock.sleeper(within: .seconds(1))
                    role.release()
                    clock.advance(by: .seconds(1))
                    let runs = [try await server.run(), try await server.run()]
                    #expect(Set(runs.map(\.id.number)) == [id.number, id.number + 1])
                    for run in runs {
                        #expect(run.outcome?.hasPrefix("locate for sweeper-1") == true)
                    }
                    #expect(try await home.history().count == 2)
                }
            }
        }
    }

    @Test func aCommandThatWasSentBeforeAServerDiedIsNotSentAgain() async throws {
        try await withHome { home in
            let rule = try await add("stuck", "event=stuck", [.send("locate", [:])], home)
            let rules = try await home.lifetime.storage().rules
            let id = try #require(
                try await rules.begin(
                    run(of: rule, "event:died"), RuleWatchKey(rule: rule.id, device: robot),
                    RuleWatch()))
            let cause = RecordedRun.cause(rule: rule.id, run: id)
            _ = try await home.send("locate", to: robot, options: CommandOptions(cause: cause))
                .finished()
            try await running(home) { server in
                let run = try await server.run()
                #expect(run.id == id)
                let history = try await home.history()
                #expect(history.count == 1)
            }
        }
    }

    @Test func aRunThatWasLeftTooLongAgoIsNotMadeUpFor() async throws {
        try await withHome { home in
            let rule = try await add("stuck", "event=stuck", [.send("locate", [:])], home)
            _ = try await home.lifetime.storage().rules.begin(
                run(of: rule, "event:died"), RuleWatchKey(rule: rule.id, device: robot), RuleWatch()
            )
            clock.advance(by: .seconds(301))
            try await running(home) { server in
                let run = try await server.run()
                #expect(run.outcome?.hasPrefix("not done") == true)
                #expect(try await home.history().isEmpty)
            }
        }
    }

    @Test func aHoldEndsByTheClock() async throws {
        try await withHome { home in
            _ = try await add(
                "reserve", "stateOfChargePercent<20", [.send("set-reserve", ["percent": "30"])],
                home
            ) {
                $0.hold = .seconds(4)
                $0.scope = .device("store-1")
            }
            try await running(home) { server in
                sample(18)
                _ = await clock.sleeper(within: .seconds(4))
                clock.advance(by: .seconds(4))
                let run = try await server.run()
                #expect(run.run.targets == [store])
                let record = try #require(try await home.history().first)
                #expect(record.intent.arguments == ["percent": 30])
            }
        }
    }

    @Test func aHoldGoesOnWithAnotherServer() async throws {
        try await withFile { ledger in
            try await withHome(ledger) { home in
                _ = try await add("reserve", "stateOfChargePercent<20", [.notify], home) {
                    $0.hold = .seconds(300)
                }
                try await running(home) { server in
                    sample(18)
                    try await server.remembers(.holding(since: clock.now.wall))
                }
                clock.advance(by: .seconds(200))
                try await running(home) { server in
                    sample(18)
                    for _ in 0..<20 {
                        _ = await clock.sleeper(within: .seconds(5))
                        clock.advance(by: .seconds(5))
                    }
                    let run = try await server.run()
                    #expect(run.run.cause.contains("for 5m"))
                }
            }
        }
    }

    @Test func rulesThatTriggerEachOtherArePausedAndNamed() async throws {
        try await withHome { home in
            _ = try await add(
                "up", "reservePercent<40", [.send("set-reserve", ["percent": "60"])], home)
            _ = try await add(
                "down", "reservePercent>50", [.send("set-reserve", ["percent": "30"])], home)
            try await running(home) { server in
                for round in 1...4 {
                    state(round.isMultiple(of: 2) ? 60 : 30, revision: round)
                    _ = try await server.run()
                }
                state(30, revision: 5)
                guard case .stopped(let rules, _) = try await server.next() else {
                    Issue.record("not stopped")
                    return
                }
                #expect(rules.map(\.plan.name.text) == ["up", "down"])
                for rule in try await home.rules.list() {
                    #expect(
                        rule.pause?.reason
                            == "rules 1 (up), 2 (down) trigger each other again and again, and are paused"
                    )
                }
                try await server.toldSomething()
                #expect(server.told.withLock { $0.last?.text.contains("1 (up), 2 (down)") == true })
            }
        }
    }

    @Test func aRuleIsPausedWhileItRuns() async throws {
        try await withHome { home in
            let rule = try await add("stuck", "event=stuck", [.notify], home)
            try await running(home) { server in
                event(.stuck)
                _ = try await server.run()
                try await home.rules.pause("STUCK")
                // Also before the server has learned it.
                event(.stuck)
                _ = await clock.sleeper(within: .seconds(5))
                clock.advance(by: .seconds(5))
                _ = await clock.sleeper(within: .seconds(5))
                try await home.rules.resume("\(rule.id)")
                clock.advance(by: .seconds(5))
                _ = await clock.sleeper(within: .seconds(5))
                event(.stuck)
                #expect(try await server.run().id.number == 2)
            }
        }
    }

    @Test func aRuleThatIsAddedToARunningServerKnowsWhoIsThere() async throws {
        try await withHome { home in
            try await running(home) { server in
                _ = try await add("away", "presence=offline", [.notify], home) {
                    $0.scope = .device("sweeper-1")
                }
                clock.advance(by: .seconds(5))
                try await server.remembers(.released)
                channel.deliver(.presence(Presence(.offline)), from: robot, in: house.id)
                #expect(try await server.run().run.device == robot)
            }
        }
    }

    @Test func aRuleRunsForWhatHappensBeforeTheServerHasLearnedIt() async throws {
        try await withHome { home in
            _ = try await add("heard", "event=fault", [.notify], home)
            try await running(home) { server in
                event(.stuck)
                // The server reads in order: it has heard all before.
                event(.fault)
                _ = try await server.run()
                clock.stepWall(by: .milliseconds(1))
                let rule = try await add("stuck", "event=stuck", [.notify], home)
                event(.stuck)
                let moment = clock.now.wall
                event(.fault)
                _ = try await server.run()
                _ = await clock.sleeper(within: .seconds(5))
                clock.advance(by: .seconds(5))
                let run = try await server.run()
                #expect(run.run.rule == rule.id)
                #expect(run.run.occasion == "at:\(moment.milliseconds)")
                // What happened before it was added did not count.
                event(.fault)
                #expect(try await server.run().run.rule != rule.id)
            }
        }
    }

    @Test func whatDoesNotFitIsNotAdded() async throws {
        try await withHome { home in
            let wrong:
                [(String, RuleDraft.Action, HomeError.Code, (inout RuleDraft) throws -> Void)] = [
                    (
                        "event=stuck", .send("fly", [:]), .refusedCommand,
                        { $0.scope = .device("sweeper-1") }
                    ),
                    ("event=stuck", .send("fly", [:]), .refusedCommand, { _ in }),
                    (
                        "event=stuck", .send("set-reserve", ["percent": "400"]), .refusedCommand,
                        { $0.receiver = "store-1" }
                    ),
                    (
                        "batteryPercnt<20", .notify, .unknownMember,
                        { $0.scope = .kind(.sweepingRobot) }
                    ),
                    ("event=stuck", .notify, .unknownDevice, { $0.scope = .device("nobody") }),
                    (
                        "event=stuck", .notify, .unknownRoom,
                        { $0.scope = .room(try GivenName("Attic")) }
                    ),
                    ("event=stuck", .notify, .unknownDevice, { $0.scope = .kind("lamp") }),
                    ("sunset", .notify, .badRule, { _ in }),
                    ("event=stuck", .notify, .badRule, { $0.hold = .seconds(1) }),
                ]
            channel.deliver(.state(StateReport(["activity": "docked"])), from: robot, in: house.id)
            for (when, action, code, change) in wrong {
                let error = await #expect(throws: HomeError.self) {
                    _ = try await add("wrong", when, [action], home, change)
                }
                #expect(error?.code == code, "\(when) \(error?.message ?? "")")
            }
            _ = try await add("stuck", "event=stuck", [.notify], home)
            let error = await #expect(throws: HomeError.self) {
                _ = try await add("Stuck", "event=fault", [.notify], home)
            }
            #expect(error?.code == .nameTaken)
            #expect(try await home.rules.list().count == 1)
        }
    }

    @Test func theEventsThatAreKeptAreBoundedByTheirBytes() async throws {
        try await withHome { home in
            let changes = home.changes(of: .device(robot))
            let text = JSONValue.string(String(repeating: "x", count: 1 << 20))
            channel.event(.fault, ["x": text], of: robot, in: house.id)
            for await case .device(let change) in changes {
                guard case .event = change.content else { continue }
                var state = RuleRunner.State()
                for _ in 0..<40 {
                    state.keep(RuleRunner.HeardEvent(change: change, at: clock.now))
                }
                #expect((8...32).contains(state.heard.count))
                break
            }
        }
    }

    @Test func aRuleIsFoundByItsNameOrNumber() async throws {
        try await withHome { home in
            let rule = try await add("stuck", "event=stuck", [.notify], home)
            #expect(try await home.rules.find("1") == rule)
            #expect(try await home.rules.find("STUCK") == rule)
            let error = await #expect(throws: HomeError.self) { try await home.rules.find("stuk") }
            #expect(error?.code == .unknownRule)
            #expect(error?.message.contains("did you mean stuck?") == true)
            try await home.rules.remove("stuck")
            #expect(try await home.rules.list().isEmpty)
        }
    }

    // MARK: Steps

    private func withHome(
        _ ledger: LedgerLocation = .memory, _ body: (Home) async throws -> Void
    ) async throws {
        var configuration = house.configuration(ledger: ledger)
        configuration.clock = clock
        try await Homeport.withHome(configuration) { home in
            _ = try await home.devices()
            try await home.rememberDevices()
            try await body(home)
        }
    }

    private func withFile(_ body: (LedgerLocation) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        try await body(.file("\(folder.path)/ledger.sqlite"))
    }

    private func add(
        _ name: String, _ when: String, _ actions: [RuleDraft.Action], _ home: Home,
        _ change: (inout RuleDraft) throws -> Void = { _ in }
    ) async throws -> Rule {
        var draft = RuleDraft(
            name: try GivenName(name), trigger: try RuleTrigger(when), actions: actions)
        try change(&draft)
        return try await home.rules.add(draft)
    }

    private func run(of rule: Rule, _ occasion: String) -> RuleRun {
        RuleRun(
            rule: rule.id, device: robot, at: clock.now.wall, cause: "sweeper-1 reported stuck",
            occasion: occasion, targets: [robot], chain: [rule.id])
    }

    private func event(_ name: EventName) {
        clock.stepWall(by: .milliseconds(1))
        channel.deliver(.event(EventReport(name, at: clock.now.wall)), from: robot, in: house.id)
    }

    private func sample(_ charge: Double) {
        channel.deliver(
            .telemetry(
                TelemetryReport(["stateOfChargePercent": .number(charge)], at: clock.now.wall)),
            from: store, in: house.id)
    }

    private func state(_ reserve: Double, revision: Int) {
        // Of two occasions in one millisecond the ledger takes the first one.
        clock.stepWall(by: .milliseconds(1))
        channel.deliver(
            .state(StateReport(["reservePercent": .number(reserve)], revision: 100 + revision)),
            from: store, in: house.id)
    }

    /// Lets a server run the rules while `body` reads what it says.
    private func running(_ home: Home, _ body: (RuleServer) async throws -> Void) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: RuleNotice.self)
        let server = RuleServer(stream: stream, home: home)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await home.rules.run(in: calendar) { notification in
                    server.told.withLock { $0.append(notification) }
                } _: {
                    continuation.yield($0)
                }
            }
            // It runs the rules, or waits until it may.
            _ = await clock.sleeper(within: .seconds(5))
            try await body(server)
            group.cancelAll()
        }
    }
}

/// What a server says.
private final class RuleServer: Sendable {
    let stream: AsyncStream<RuleNotice>
    let home: Home
    let told = Guarded<[RuleNotification]>([])

    init(stream: AsyncStream<RuleNotice>, home: Home) {
        self.stream = stream
        self.home = home
    }

    func next() async throws -> RuleNotice {
        try #require(await stream.first { _ in true })
    }

    func run() async throws -> RecordedRun {
        let notice = try await next()
        guard case .ran(let run) = notice else {
            Issue.record("\(notice)")
            throw HomeError(.failed, "\(notice)")
        }
        return run
    }

    /// Waits until this is remembered of a rule and a device.
    func remembers(_ phase: RuleWatch.Phase) async throws {
        let rules = try await home.lifetime.storage().rules
        while try await !rules.watches(of: home.controller, in: home.id).values.contains(where: {
            $0.phase == phase
        }) {
            await Task.yield()
        }
    }

    /// Waits until the user was told something.
    func toldSomething() async throws {
        while told.withLock({ $0.isEmpty }) { await Task.yield() }
    }
}
