import Connectivity
import DeviceControl
import DeviceDomain
import TestSupport
import Testing

/// Random interleavings, by seed, of writers who do not know of each other, a device that comes and goes, a
/// link that loses answers, and processes that are killed. The world knows what the device has applied, so
/// that each writer's verdict can be held against it.
@Suite struct LifecycleKeepingPropertyTests {
    private static let blocks = 0..<20 as Range<UInt64>
    private static let perBlock: UInt64 = 200

    @Test(arguments: blocks)
    func writersOfOneSettingAgreeInTheEnd(_ block: UInt64) throws {
        try live(block, ["schedule", "schedule"])
    }

    @Test(arguments: blocks)
    func writersOfDifferentSettingsAgreeInTheEnd(_ block: UInt64) throws {
        try live(block, ["schedule", "light"])
    }

    private func live(_ block: UInt64, _ settings: [String]) throws {
        for seed in (block * Self.perBlock)..<((block + 1) * Self.perBlock) {
            var world = try KeptSettingsWorld(seed: seed, settings)
            world.live()
            for (number, writer) in world.writers.enumerated() {
                let value = world.value(of: number)
                let isContended = settings.filter { $0 == settings[number] }.count > 1
                switch writer.bench.state {
                case .succeeded: #expect(world.wasApplied(value), "seed \(seed), writer \(number)")
                case .superseded:
                    #expect(isContended || writer.hasCrashed, "seed \(seed), writer \(number)")
                default: Issue.record("\(writer.bench.state), seed \(seed), writer \(number)")
                }
            }
            #expect(world.document?.revision == world.applied.revision, "seed \(seed)")
            #expect(
                world.document.map { world.applied.contain($0.members) } == true, "seed \(seed)")
            for name in Set(settings) {
                let ends = world.writers.indices.filter { settings[$0] == name }
                let holds = ends.contains { number in
                    world.writers[number].bench.state == .succeeded
                        && world.applied.contain(world.value(of: number))
                }
                // After a crash the other setting's writer may count as a later command of somebody.
                let isSure = ends.count > 1 || !ends.contains { world.writers[$0].hasCrashed }
                #expect(
                    holds || !isSure,
                    "seed \(seed): the value of \(name) is that of a writer who succeeded")
            }
        }
    }
}

private struct KeptSettingsWorld {
    struct Writer {
        var bench: LifecycleBench
        let name: String
        var isSubmitted = false
        var isReading = false
        /// Whether the broker has what is being written, and has not confirmed it.
        var hasArrived = false
        /// Whether a process was killed; what it had read before is lost with it.
        var hasCrashed = false
        /// Reports of the device on their way to the writer.
        var reports: [DesiredSettings] = []
    }

    private(set) var writers: [Writer] = []
    private(set) var document: DesiredSettings?
    private(set) var applied = DesiredSettings(revision: 0, members: ["schedule": ["old"]])
    private var history: [DesiredSettings] = []
    private var random: SeededGenerator
    private var isOnline = false
    /// Whether the broker queues documents for the device while it is away.
    private let hasSession: Bool
    /// Documents on their way to the device.
    private var underWay: [DesiredSettings] = []
    /// What the broker keeps of the device's reports.
    private var reported: DesiredSettings

    init(seed: UInt64, _ settings: [String]) throws {
        random = SeededGenerator(seed: seed)
        hasSession = Bool.random(using: &random)
        reported = applied
        for (number, name) in settings.enumerated() {
            writers.append(
                Writer(
                    bench: try LifecycleBench(
                        sort: .setting, offline: .desired, lifetime: .seconds(86_400),
                        seed: seed + UInt64(number), name: "set-\(name)",
                        arguments: ["value": [.string("by \(number)")]]), name: name))
        }
    }

    func value(of number: Int) -> JSONObject { [writers[number].name: [.string("by \(number)")]] }

    func wasApplied(_ value: JSONObject) -> Bool { history.contains { $0.contain(value) } }

    mutating func live() {
        for _ in 0..<Int.random(in: 10...90, using: &random) { step() }
        for number in writers.indices { submit(number) }
        isOnline = true
        subscribeDevice()
        for _ in 0..<60 { settle() }
    }

    /// Everything that is due happens.
    private mutating func settle() {
        for number in writers.indices {
            answer(number)
            arrive(number)
            confirm(number)
            pass(.seconds(5), number)
        }
        while !underWay.isEmpty { take() }
        report()
        for number in writers.indices { while hear(number) {} }
    }

    private mutating func step() {
        let number = Int.random(in: writers.indices, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0...2: submit(number)
        case 3...5: answer(number)
        case 6, 7: arrive(number)
        case 8, 9: confirm(number)
        case 10: loseAnswer(number)
        case 11: fail(number)
        case 12, 13: take()
        case 14: _ = hear(number)
        case 15:
            if isOnline { isOnline = false } else { subscribeDevice() }
        case 16: report()
        case 17: crash(number)
        default: pass(.milliseconds(Int.random(in: 1...2_000, using: &random)), number)
        }
    }

    // MARK: Writers

    private mutating func submit(_ number: Int) {
        guard !writers[number].isSubmitted else { return }
        writers[number].isSubmitted = true
        handle(.enqueued(.offline), number)
    }

    private mutating func handle(_ event: LifecycleEvent, _ number: Int) {
        guard writers[number].isSubmitted else { return }
        if writers[number].bench.handle(event).contains(.readSettings) {
            writers[number].isReading = true
        }
    }

    private mutating func pass(_ time: Duration, _ number: Int) {
        guard writers[number].isSubmitted else { return }
        if writers[number].bench.pass(time).contains(.readSettings) {
            writers[number].isReading = true
        }
    }

    private mutating func answer(_ number: Int) {
        guard writers[number].isReading else { return }
        writers[number].isReading = false
        handle(.settings(DesiredReading(kept: document, applied: reported)), number)
    }

    private mutating func arrive(_ number: Int) {
        guard let settings = writers[number].bench.lifecycle.settingsToWrite,
            !writers[number].hasArrived
        else { return }
        writers[number].hasArrived = true
        document = settings
        if isOnline || hasSession { underWay.append(settings) }
    }

    private mutating func confirm(_ number: Int) {
        guard writers[number].hasArrived else { return }
        end(number, .receipt(.confirmed))
    }

    private mutating func loseAnswer(_ number: Int) {
        if writers[number].isReading {
            writers[number].isReading = false
            end(number, .neverLeft("timed out"))
        } else if writers[number].bench.lifecycle.settingsToWrite != nil {
            end(number, .mayHaveLeft("the link broke"))
        }
    }

    private mutating func fail(_ number: Int) {
        guard writers[number].bench.lifecycle.settingsToWrite != nil, !writers[number].hasArrived
        else { return }
        end(number, .neverLeft("no link"))
    }

    private mutating func end(_ number: Int, _ result: SendResult) {
        writers[number].hasArrived = false
        handle(.sendEnded(result), number)
    }

    private mutating func crash(_ number: Int) {
        guard writers[number].isSubmitted, writers[number].bench.lifecycle.progress.isOpen else {
            return
        }
        writers[number].isReading = false
        writers[number].hasArrived = false
        writers[number].reports = []
        writers[number].hasCrashed = true
        writers[number].bench = writers[number].bench.afterCrash()
        handle(.adopted(.offline), number)
        // A listener is told what the broker keeps first.
        writers[number].reports = [reported]
    }

    private mutating func hear(_ number: Int) -> Bool {
        guard !writers[number].reports.isEmpty else { return false }
        let report = writers[number].reports.removeFirst()
        if writers[number].bench.lifecycle.isKept { handle(.applied(report), number) }
        return true
    }

    // MARK: The device

    private mutating func subscribeDevice() {
        isOnline = true
        underWay = (hasSession ? underWay : []) + (document.map { [$0] } ?? [])
    }

    /// As a device does: a revision that is not higher changes nothing, and what a document does not name
    /// stays as it is.
    private mutating func take() {
        guard isOnline, !underWay.isEmpty else { return }
        let next = underWay.removeFirst()
        guard next.revision > applied.revision else { return }
        applied = DesiredSettings(
            revision: next.revision, members: applied.members.merging(next.members) { $1 })
        history.append(applied)
    }

    private mutating func report() {
        guard isOnline else { return }
        reported = applied
        for number in writers.indices { writers[number].reports.append(applied) }
    }
}
