import Connectivity
import DeviceControl
import DeviceDomain
import TestSupport
import Testing

/// Random interleavings of two writers, a device that comes and goes, a link and crashes, by seed. The
/// world knows what the device has applied, so that the controller's verdict can be held against it.
@Suite struct LifecycleKeepingPropertyTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func theVerdictIsWhatTheDeviceHasApplied(_ block: UInt64) throws {
        for seed in (block * 200)..<((block + 1) * 200) {
            var world = try KeptSettingsWorld(seed: seed)
            world.live()
            switch world.bench.state {
            case .succeeded: #expect(world.hasAppliedOurs, "seed \(seed)")
            case .superseded: #expect(world.othersWrote, "seed \(seed)")
            case .expired: #expect(!world.hasAppliedOurs, "seed \(seed)")
            case .unknown: #expect(!world.hasToldOurs, "seed \(seed)")
            default: Issue.record("\(world.bench.state), seed \(seed)")
            }
            #expect(!world.hasOverwrittenALaterOne, "seed \(seed)")
        }
    }
}

private struct KeptSettingsWorld {
    var bench: LifecycleBench
    private(set) var hasAppliedOurs = false
    private(set) var hasToldOurs = false
    private(set) var othersWrote = false
    /// Whether a command was written although its revision, or a later one, was found.
    private(set) var hasOverwrittenALaterOne = false
    private var random: SeededGenerator
    private var kept: DesiredSettings?
    private var applied = DesiredSettings(revision: 0, members: ["schedule": ["old"]])
    private var isOnline = false
    private var isReading = false
    /// What the other writer has read and not written yet.
    private var othersNext: Int?

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        bench = try LifecycleBench(
            sort: .setting, offline: .desired, seed: seed, name: "set-schedule",
            arguments: ["entries": ["ours"]])
        act(on: bench.handle(.enqueued(.offline)))
    }

    mutating func live() {
        for _ in 0..<Int.random(in: 3...40, using: &random) { step() }
        for _ in 0..<20 where !bench.state.isFinal {
            act(on: bench.handle(.reach(.reachable)))
            answer()
            write(reporting: .receipt(.confirmed), arrives: true)
            comeOnline()
            act(on: bench.pass(.seconds(3)))
        }
    }

    private mutating func step() {
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1: answer()
        case 2, 3: write(reporting: .receipt(.confirmed), arrives: true)
        case 4: write(reporting: .mayHaveLeft("lost"), arrives: Bool.random(using: &random))
        case 5: write(reporting: .neverLeft("no link"), arrives: false)
        case 6: if othersNext == nil { othersNext = (kept?.revision ?? applied.revision) + 1 }
        case 7: writeByOther()
        case 8: comeOnline()
        case 9: isOnline = false
        case 10: crash()
        default: act(on: bench.pass(.milliseconds(Int.random(in: 1...2_000, using: &random))))
        }
    }

    private mutating func act(on actions: [LifecycleAction]) {
        if actions.contains(.readSettings) { isReading = true }
    }

    private mutating func answer() {
        guard isReading else { return }
        isReading = false
        let own = bench.lifecycle.progress.desiredRevision
        act(on: bench.handle(.settings(DesiredReading(kept: kept, applied: applied))))
        guard let own, let kept, kept.revision >= own, bench.lifecycle.settingsToWrite != nil else {
            return
        }
        hasOverwrittenALaterOne = true
    }

    private mutating func write(reporting result: SendResult, arrives: Bool) {
        guard let settings = bench.lifecycle.settingsToWrite else { return }
        if arrives {
            kept = settings
            if isOnline { apply() }
        }
        act(on: bench.handle(.sendEnded(result)))
    }

    private mutating func writeByOther() {
        guard let revision = othersNext else { return }
        othersNext = nil
        othersWrote = true
        kept = DesiredSettings(revision: revision, members: Self.others)
        if isOnline { apply() }
    }

    private mutating func comeOnline() {
        isOnline = true
        apply()
    }

    /// As a device does: a revision that is not higher changes nothing.
    private mutating func apply() {
        if let kept, kept.revision > applied.revision {
            applied = kept
            if applied.contain(Self.ours) { hasAppliedOurs = true }
        }
        if applied.contain(Self.ours) { hasToldOurs = true }
        act(on: bench.handle(.applied(applied)))
    }

    private mutating func crash() {
        guard !bench.state.isFinal else { return }
        isReading = false
        bench = bench.afterCrash()
        act(on: bench.handle(.adopted(.offline)))
    }

    private static let ours: JSONObject = ["schedule": ["ours"]]
    private static let others: JSONObject = ["schedule": ["others"]]
}
