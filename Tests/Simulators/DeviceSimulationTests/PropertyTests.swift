import Basics
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// What holds for any sequence of commands, pauses and crashes.
@Suite struct PropertyTests {
    @Test(arguments: ["sweeper-s1", "sweeper-pro", "pool-p1", "pool-c1", "store-e5", "store-e10"])
    func invariantsHoldForRandomLives(_ model: String) throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            let life = try RandomLife(model: model, seed: seed)
            try life.check()
        }
    }

    @Test(arguments: ["sweeper-s1", "pool-c1", "store-e10"])
    func sameInputsGiveTheSameActions(_ model: String) throws {
        let (first, second) = (
            try RandomLife(model: model, seed: 99), try RandomLife(model: model, seed: 99)
        )
        #expect(first.bench.log == second.bench.log)
        let bytes = [first, second].map { life in life.bench.log.records.map(\.bytes) }
        #expect(bytes[0] == bytes[1])
        let other = try RandomLife(model: model, seed: 98)
        #expect(first.bench.log != other.bench.log)
    }

    /// Faults of messages change nothing of what a device does, makes and records.
    @Test(arguments: ["sweeper-s1", "sweeper-pro", "pool-p1", "pool-c1", "store-e5", "store-e10"])
    func faultsOfMessagesChangeNothingOfWhatIsMade(_ model: String) throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            let honest = try RandomLife(model: model, seed: seed)
            let disturbed = try RandomLife(model: model, seed: seed, disturbed: true)
            #expect(disturbed.bench.log.made == honest.bench.log.made)
            #expect(disturbed.bench.journal.executions == honest.bench.journal.executions)
            #expect(disturbed.bench.log.published != honest.bench.log.published)
        }
    }

    @Test func thousandMalformedPayloadsNeverCrash() throws {
        var bench = try DeviceBench("sweeper-s1")
        let order = try Order("start-cleaning", ["rooms": [3, 5], "passes": 2])
        var generator = SeededGenerator(seed: 1)
        var answered = 0
        for number in 0..<1000 {
            var bytes = order.payload
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                let position = Int.random(in: 0..<bytes.count, using: &generator)
                switch number % 4 {
                case 0: bytes[position] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: position)
                case 2: bytes.insert(UInt8(ascii: "\""), at: position)
                default: bytes = Array(bytes[..<max(position, 1)])
                }
            }
            let actions = bench.give(bytes: bytes)
            #expect(actions.acks.count + actions.counts.count >= 1)
            answered += actions.acks.count
            bench.give(.desired(payload: bytes))
        }
        #expect(answered > 50 && answered < 1000)
        #expect(bench.give(try Order("locate")).verdicts.last == "succeeded/OK")
    }

    @Test func journalFoldsToItselfWhenCompacted() throws {
        for model in ["sweeper-s1", "pool-p1", "store-e5"] {
            let life = try RandomLife(model: model, seed: 5)
            var compacted = DeviceJournalState.empty
            for record in life.bench.journal.records {
                compacted.apply(try JournalRecord(bytes: record.bytes))
            }
            #expect(compacted == life.bench.journal)
            #expect(compacted.records == life.bench.journal.records)
            #expect(life.bench.device.journal == life.bench.journal)
        }
    }

    @Test(arguments: [
        "{}", "[]", "{\"r\":\"fly\"}", "{\"r\":\"entered\"}", "{\"r\":\"state\",\"revision\":1}",
        "{\"r\":\"started\",\"controller\":\"A\",\"id\":\"x\",\"executions\":1}", "{\"r\":", "",
    ])
    func defectiveRecordIsAnError(_ text: String) {
        #expect(throws: JournalDefect.self) { try JournalRecord(bytes: Array(text.utf8)) }
    }
}

/// A device that lives through random commands, waits, faults, disconnects and restarts.
struct RandomLife {
    private(set) var bench: DeviceBench
    private var generator: SeededGenerator
    private var orders: [Order] = []
    private let specifications: [CommandSpecification]
    /// Where faults of messages come from; `nil` for a life without any.
    private var disturbance: SeededGenerator?
    /// How often the recorded state was not that of the device.
    private var differences = 0

    /// - Parameter disturbed: whether faults of messages and acks happen, too; all else is as without them.
    init(model: String, seed: UInt64, disturbed: Bool = false) throws {
        bench = try DeviceBench(model, seed: seed, tellingWhatItMakes: true)
        bench.rebootsWhenAsked = true
        disturbance = disturbed ? SeededGenerator(seed: seed &+ 1) : nil
        generator = SeededGenerator(seed: seed)
        specifications = bench.device.behaviour.commands
        for _ in 0..<120 {
            try disturb()
            try live()
            let device = bench.device
            if device.journal.state?.controlled != device.behaviour.controlled { differences += 1 }
        }
        bench.give(.clear(nil))
        bench.give(.connected)
        bench.give(try order("stop"))
        bench.pass(.seconds(40))
    }

    private mutating func live() throws {
        switch Int.random(in: 0..<22, using: &generator) {
        case 0..<11: try command()
        case 11, 12: repeatAnOrder()
        case 13..<17: bench.pass(.seconds(Int.random(in: 1...90, using: &generator)))
        case 17: bench.give(Bool.random(using: &generator) ? .disconnected : .connected)
        case 18: bench.confirmAll()
        case 19: try suffer()
        case 20: bench.give(.clear(nil))
        default: try bench.restart()
        }
    }

    /// Lets any fault of the kind happen, for a while or until it is cleared.
    private mutating func suffer() throws {
        let faults = SimulatedFault.faults(of: bench.device.description.kind)
            .filter { !$0.altersMessages }
        guard let fault = faults.randomElement(using: &generator) else { return }
        let seconds = Int.random(in: 0...60, using: &generator)
        try bench.inject(fault, lasting: seconds == 0 ? nil : .seconds(seconds))
    }

    /// Lets a fault of messages happen, or ends one.
    private mutating func disturb() throws {
        guard var generator = disturbance else { return }
        defer { disturbance = generator }
        let faults = SimulatedFault.allCases.filter(\.altersMessages)
        guard let fault = faults.randomElement(using: &generator) else { return }
        if Bool.random(using: &generator) {
            try bench.inject(fault)
        } else {
            bench.give(.clear(fault))
        }
    }

    private mutating func command() throws {
        guard let specification = specifications.randomElement(using: &generator) else { return }
        let order = try order(specification.name.rawValue)
        bench.give(order, lane: specification.lane)
    }

    private mutating func repeatAnOrder() {
        guard let order = orders.randomElement(using: &generator) else { return }
        bench.give(order)
    }

    private mutating func order(_ name: String) throws -> Order {
        let controller = Bool.random(using: &generator) ? "ctl-1" : "ctl-2"
        let valid = Duration.seconds(Int.random(in: 1...120, using: &generator))
        let id = CommandID(at: bench.clock.wire, using: &generator)
        let order = try Order(
            name, arguments(of: name), from: controller, at: bench.clock.wire, valid: valid,
            sequence: orders.count + 1, ifRevision: revision(for: name), id: id)
        orders.append(order)
        return order
    }

    private func revision(for name: String) -> Int? {
        name == "set-islanding" ? bench.device.journal.state?.revision : nil
    }

    private mutating func arguments(of name: String) -> JSONObject {
        func pick(_ values: [JSONValue]) -> JSONValue {
            values.randomElement(using: &generator) ?? .null
        }
        switch name {
        case "start-cleaning": return ["rooms": [pick([1, 3, 5])]]
        case "move-to", "clean-spot":
            return ["x": pick([0.5, 4, 7.5, 9]), "y": pick([0.5, 3, 6])]
        case "set-suction-level": return ["level": pick(["quiet", "max", "loud"])]
        case "start-program": return ["program": pick(["floor", "full"])]
        case "set-power-level": return ["level": pick(["eco", "boost"])]
        case "set-schedule":
            return ["entries": pick([[], [["weekday": 6, "at": "11:20", "program": "walls"]]])]
        case "set-mode": return ["mode": pick(["idle", "backup", "self-consumption"])]
        case "set-charge-limit", "set-reserve": return ["percent": pick([50, 60, 90])]
        case "charge", "discharge":
            return ["powerW": pick([200, 2500]), "untilPercent": pick([40, 70])]
        case "set-islanding": return ["enabled": pick([true, false])]
        case "query-commands", "cancel-command":
            let id = JSONValue.string(
                (orders.randomElement(using: &generator)?.id
                    ?? CommandID(at: bench.clock.wire, using: &generator)).text)
            return name == "query-commands" ? ["ids": [id]] : ["id": id]
        default: return [:]
        }
    }

    /// Checks everything that the device ever said.
    func check() throws {
        let revisions = bench.log.states.map(\.revision)
        #expect(revisions == revisions.sorted(), "the revision never falls")
        #expect(differences == 0, "each change of a controlled member is noticed")
        for action in bench.log {
            guard case .publish(.telemetry(let sample), _) = action else { continue }
            let message = try TelemetryMessage(payload: sample.payload)
            // The message writes its dictionary in the canonical form.
            #expect(message.payload == sample.payload && message.at == sample.at)
        }
        let settings = Set(specifications.filter { $0.sort == .setting }.map(\.name))
        for order in orders { try check(order, isSetting: settings.contains(order.message.name)) }
        for (before, after) in zip(bench.log.states, bench.log.states.dropFirst())
        where before.revision == after.revision {
            #expect(before.by == after.by)
        }
    }

    private func check(_ order: Order, isSetting: Bool) throws {
        let own = bench.log.acks.filter {
            $0.id == order.id && !$0.isReplay && $0.code != .idReused
        }
        let key = CommandKey(controller: order.message.controller, id: order.id)
        guard let entry = bench.device.journal.entries[key] else { return }
        #expect(entry.isFinished, "\(order.text)")
        if !isSetting { #expect(entry.executions <= 1) }
        #expect(Set(own.filter(\.isFinal).map(\.payload)).count <= 1, "one final per id")
        let numbers = own.filter { !$0.isFinal }.map(\.n)
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        let recorded = bench.log.records.compactMap { $0.ack(of: key)?.n }
        #expect(recorded == Array(1...recorded.count), "n rises by one from 1")
    }
}

extension SimulatedFault {
    /// Whether it changes what leaves the device, other than by sending acks later.
    var altersMessages: Bool {
        switch entry.handler {
        case .messages: true
        case .acks: self != .mute && self != .slow
        case .connection, .link, .start, .supply, .behaviour: false
        }
    }
}

extension JournalRecord {
    /// The ack of a command that this record holds, if it does.
    func ack(of key: CommandKey) -> AckMessage? {
        switch self {
        case .entered(let entry): entry.command == key ? entry.ack : nil
        case .progressed(let command, let ack): command == key ? ack : nil
        case .finished(let finals, _): finals.first { $0.command == key }?.ack
        default: nil
        }
    }
}

extension DeviceJournalState {
    /// How often the effect of each command was started, and how it ended.
    var executions: [CommandKey: [Int]] {
        entries.mapValues { [$0.executions, $0.ack.n, $0.isFinished ? 1 : 0] }
    }
}
