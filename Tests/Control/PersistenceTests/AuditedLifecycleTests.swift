import Basics
import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Persistence
import Testing

/// Commands as their lifecycles write them: a check finds what another program changes, and nothing else.
@Suite(.timeLimit(.minutes(5))) struct AuditedLifecycleTests {
    /// Two processes follow each command, and one is often faster than the other.
    @Test(arguments: LedgerKind.allCases, 0..<4 as Range<UInt64>)
    func noLifeOfACommandLooksChanged(_ kind: LedgerKind, _ block: UInt64) async throws {
        try await kind.withLedger { ledger in
            for seed in (block * 40)..<((block + 1) * 40) {
                var random = SeededGenerator(seed: seed)
                var life = try await LedgerLife(seed: seed, on: ledger)
                for _ in 0..<Int.random(in: 1...30, using: &random) {
                    try await life.step(using: &random)
                }
            }
            let problems = try await ledger.verify().problems
            #expect(problems.isEmpty, "\(problems)")
        }
    }

    @Test(arguments: LedgerKind.allCases, LedgerLife.Ending.allCases)
    func everyChangedColumnIsFound(_ kind: LedgerKind, _ ending: LedgerLife.Ending) async throws {
        try await kind.withHouse { house in
            let ledger = try await house.open().ledger
            try await LedgerLife.run(to: ending, on: ledger)
            #expect(try await ledger.verify().isIntact)
            var restoring = "CREATE TABLE saved AS SELECT * FROM command"
            for (column, value) in Self.changes {
                try await house.execute("\(restoring); UPDATE command SET \(column) = \(value)")
                let reasons = try await ledger.verify().problems.map(\.reason)
                #expect(reasons.contains { $0.contains(column) }, "\(column): \(reasons)")
                restoring = "UPDATE command SET \(column) = (SELECT saved.\(column) FROM saved)"
            }
            try await house.execute(restoring)
            #expect(try await ledger.verify().isIntact)
        }
    }

    private static let changes = [
        ("code", "'BATTERY_LOW'"), ("message", "'never ran'"), ("revision", "77"),
        ("result", "'7b2270726576696f7573223a226c6f77227d'::hex"), ("sends", "9"),
        ("isOpen", "NOT isOpen"), ("createdAt", "1"), ("sentAt", "2"), ("acceptedAt", "3"),
        ("finalAt", "4"), ("observedAt", "5"), ("closedAt", "6"), ("issuedAt", "issuedAt - 1"),
        ("sequence", "sequence + 7"), ("lane", "'urgent'"), ("sort", "'instant'"),
        ("offline", "'barrier'"), ("offlineMilliseconds", "7"),
    ]
}

/// One command in a ledger, and the lifecycles of the processes that follow it.
struct LedgerLife {
    /// How a command comes to rest.
    enum Ending: CaseIterable, Sendable {
        /// The device says so, and its effect is seen in the same moment, or later.
        case observedAtOnce, observedLater
        case failed, refusedAtOnce, refused, expired, unknown, withdrawn
    }

    private static let start = Moment(wall: GRDBCommandLedger.start, elapsed: .zero)

    private let ledger: any TestedLedger
    private let id: CommandID
    private let traits: ChannelTraits
    private var moment = LedgerLife.start
    private var followers: [CommandLifecycle]

    /// A command on a channel that has some traits, which depend on the seed.
    init(seed: UInt64, on ledger: any TestedLedger) async throws {
        var random = SeededGenerator(seed: seed &+ 1_000)
        let offline: [OfflinePolicy] = [.desired, .expire(after: .seconds(600)), .failFast]
        let traits = ChannelTrait.allCases.filter { _ in
            Int.random(in: 0..<4, using: &random) > 0
        }
        try await self.init(
            offline[Int(seed % 3)], over: Set(traits), .random(using: &random),
            device: "robot-\(seed)", on: ledger)
    }

    private init(
        _ offline: OfflinePolicy, over traits: ChannelTraits = Set(ChannelTrait.allCases),
        _ reach: Reach, device: String = "robot-1", on ledger: any TestedLedger
    ) async throws {
        var intent = try CommandIntent.sample(
            device: device, name: "set-suction-level", sort: .setting, offline: offline,
            arguments: ["level": "max"])
        intent.ifRevision = nil
        var opened = CommandLifecycle(intent, traits: traits, at: Self.start, seed: 1)
        _ = opened.handle(.enqueued(reach), at: Self.start)
        let record = try await ledger.accept(intent, opening: opened.progress)
        let other = CommandLifecycle(
            intent, traits: traits, progress: record.progress, at: Self.start, seed: 2)
        followers = [opened, other]
        id = intent.id
        self.traits = traits
        self.ledger = ledger
    }

    /// Leads a new command to an end.
    static func run(to ending: Ending, on ledger: any TestedLedger) async throws {
        var life = try await LedgerLife(
            .failFast, ending == .refusedAtOnce ? .offline : .linkDown(""), on: ledger)
        let sent: [LifecycleEvent] = [
            .reach(.reachable), .sendEnded(.receipt(.confirmed)), try life.ack(.accepted, n: 1),
        ]
        switch ending {
        case .observedAtOnce:
            try await life.handle(sent + [.state(revision: 9), life.ack(.succeeded, n: 2)])
        case .observedLater:
            try await life.handle(sent + [life.ack(.succeeded, n: 2), .state(revision: 9)])
        case .failed: try await life.handle(sent + [life.ack(.failed, n: 2)])
        case .refusedAtOnce: break
        case .refused: try await life.handle([.reach(.offline)])
        case .expired:
            life.pass(.seconds(60))
            try await life.handle([.wake])
        case .unknown:
            try await life.handle(Array(sent.prefix(2)))
            life.pass(.seconds(60))
            try await life.handle([.wake])
        case .withdrawn: _ = try await ledger.withdraw(life.id)
        }
    }

    private mutating func handle(_ events: [LifecycleEvent]) async throws {
        for event in events { try await handle(event, by: 0) }
    }

    /// An acknowledgement with everything that the device may say.
    private func ack(_ stage: AckStage, n: Int) throws -> LifecycleEvent {
        .evidence(try followers[0].intent.evidence(stage, n: n))
    }

    private mutating func pass(_ time: Duration) {
        moment.elapsed += time
        moment.wall = moment.wall.advanced(by: time)
    }
}

// MARK: At random

extension LedgerLife {
    /// Lets something happen, likely or not.
    mutating func step(using random: inout SeededGenerator) async throws {
        let isLong = Int.random(in: 0..<12, using: &random) == 0
        pass(.milliseconds(Int.random(in: 1...(isLong ? 40_000 : 900), using: &random)))
        let index = Int.random(in: 0..<2, using: &random)
        switch Int.random(in: 0..<30, using: &random) {
        case 0: _ = try await ledger.withdraw(id)
        case 1: try await putAway(by: index)
        case 2:
            guard let record = try await ledger.record(of: id) else { return }
            followers[index] = CommandLifecycle(
                record.intent, traits: traits, progress: record.progress, at: moment, seed: 3)
            guard record.progress.isOpen else { return }
            try await handle(.adopted(.random(using: &random)), by: index)
        default: try await handle(event(using: &random), by: index)
        }
    }

    private mutating func handle(_ event: LifecycleEvent, by index: Int) async throws {
        let before = followers[index].progress
        _ = followers[index].handle(event, at: moment)
        _ = followers[index].takeTurn(at: moment)
        let after = followers[index].progress
        let log = followers[index].log(of: event, since: before, at: moment)
        guard after != before else { return try await ledger.append(log) }
        try await write(after, over: before, because: log, by: index)
    }

    private mutating func write(
        _ after: CommandProgress, over before: CommandProgress, because log: [LedgerEvent],
        by index: Int
    ) async throws {
        let verdict = try await ledger.advance(id, after: before.step, to: after, because: log)
        if case .overtaken(let winner) = verdict { followers[index].yield(to: winner.progress) }
    }

    private mutating func putAway(by index: Int) async throws {
        let before = followers[index].progress
        guard before.state == .unknown, !before.isClosed else { return }
        var after = before
        after.step += 1
        after.timings.closedAt = moment.wall
        followers[index].yield(to: after)
        try await write(
            after, over: before,
            because: [LedgerEvent(.putAway, of: id, at: moment.wall)], by: index)
    }

    private func event(using random: inout SeededGenerator) throws -> LifecycleEvent {
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1, 2: .reach(.random(using: &random))
        case 3, 4, 5:
            .sendEnded(SendResult.samples[Int.random(in: 0..<8, using: &random)])
        case 6, 7, 8: .evidence(try evidence(using: &random))
        case 9: .answer(try answer(using: &random))
        case 10: .boot(try BootID("b\(Int.random(in: 1...2, using: &random))"))
        case 11: .state(revision: Int.random(in: 1...12, using: &random))
        case 12: .overruled(by: CommandName(rawValue: "stop"))
        case 13:
            .settings(
                DesiredReading(kept: settings(using: &random), applied: settings(using: &random)))
        case 14: .applied(settings(using: &random) ?? DesiredSettings(revision: 1, members: [:]))
        default: .wake
        }
    }

    private func answer(using random: inout SeededGenerator) throws -> StatusAnswer {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .none("no answer")
        case 1: .told(.never)
        case 2: .told(.forgotten)
        default: .told(.known(try evidence(using: &random)))
        }
    }

    private func settings(using random: inout SeededGenerator) -> DesiredSettings? {
        let values: [JSONObject] = [["suction-level": "max"], ["suction-level": "low"], [:]]
        guard Int.random(in: 0..<4, using: &random) > 0 else { return nil }
        return DesiredSettings(
            revision: Int.random(in: 1...4, using: &random),
            members: values[Int.random(in: 0..<3, using: &random)])
    }

    private func evidence(using random: inout SeededGenerator) throws -> CommandEvidence {
        let stages: [AckStage] = AckStage.allCases + [.accepted, .progress, .succeeded]
        let codes: [AckCode] = [.ok, .ok, .stuck, .throttled, .idReused]
        let sources: [CommandEvidence.Source] = [.device, .device, .bridge, .readBack]
        let stage = stages[Int.random(in: 0..<stages.count, using: &random)]
        let n = Int.random(in: 0...4, using: &random)
        let hasBytes = Bool.random(using: &random)
        return CommandEvidence(
            id: id, device: followers[0].intent.device,
            source: sources[Int.random(in: 0..<4, using: &random)], stage: stage,
            isFinal: n == 0 && stage == .rejected ? false : nil,
            code: codes[Int.random(in: 0..<5, using: &random)],
            message: Bool.random(using: &random) ? "it is stuck" : "",
            result: stage.isFinal && hasBytes ? ["previous": "low"] : [:],
            revision: Bool.random(using: &random) ? 5 : nil,
            boot: try BootID("b\(Int.random(in: 1...2, using: &random))"),
            n: Bool.random(using: &random) ? n : nil, raw: hasBytes ? [UInt8(n), 1] : [])
    }
}

extension Reach {
    fileprivate static let samples: [Reach] = [
        .reachable, .reachable, .offline, .linkDown(""), .linkDown("no link"),
        .refused(.forbidden, "no"),
    ]

    fileprivate static func random(using random: inout SeededGenerator) -> Reach {
        samples[Int.random(in: 0..<samples.count, using: &random)]
    }
}

extension SendResult {
    fileprivate static let samples: [SendResult] = [
        .receipt(.confirmed), .receipt(.confirmed), .receipt(.confirmedWithoutEvidence),
        .receipt(.noReceiver), .receipt(.refused(.forbidden, "no")), .neverLeft("no link"),
        .cannotLeave(.badRequest, "too long"), .mayHaveLeft("the link was lost"),
    ]
}
