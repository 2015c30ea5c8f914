import Basics
import Connectivity
import DeviceDomain
import History
import HomeModel
import HomeportTesting
import Testing

/// What is written when, and what becomes of what cannot be written.
@Suite(.timeLimit(.minutes(1))) struct HistoryRecorderTests {
    private let clock = ManualClock()
    private let store = ScriptedStore()
    private let live: LiveHome
    private let notices = Notices()
    private let recorder: HistoryRecorder
    private let said = Counter()

    init() {
        let (clock, notices) = (clock, notices)
        live = LiveHome(.literal("home-1")) { clock.now.wall }
        recorder = HistoryRecorder(in: store, at: .file, clock: clock) {
            notices.add("\($0)")
        }
    }

    @Test func aBatchIsWrittenAfterAPauseWithEverySample() async {
        await recording {
            for n in 1...3 { hear(.telemetry(sample(n))) }
            hear(.event(EventReport(.literal("stuck"), detail: ["code": "X"])))
            #expect(store.samples.isEmpty)
            await pause()
            #expect(store.samples.map(\.n) == [1, 2, 3])
            #expect(store.facts.map(\.name) == ["stuck"])
        }
    }

    @Test func whatCameLastIsWrittenAtTheEnd() async {
        await recording { hear(.telemetry(sample(1))) }
        #expect(store.samples.map(\.n) == [1])
    }

    @Test func aSampleWithoutAStampHasTheTimeOfItsReception() async {
        let now = clock.now.wall
        await recording { hear(.telemetry(TelemetryReport(["x": 1]))) }
        #expect(store.samples.map(\.at) == [now])
    }

    /// A will tells when the device connected.
    @Test func anOfflineHasTheTimeOfItsReception() async {
        let now = clock.now.wall
        let early = now.advanced(by: .seconds(-500))
        await recording {
            hear(.presence(Presence(.online, boot: .literal("b1"), at: early)))
            hear(.presence(Presence(.offline, boot: .literal("b1"), at: early)))
        }
        #expect(store.facts.map(\.at) == [early, now])
        #expect(store.facts.map(\.name) == ["online", "offline"])
    }

    @Test func aFullDiskIsSaidOnceAndNothingIsMissingAfterwards() async {
        await recording {
            store.fail(HistoryError(.full, "no room"))
            for n in 1...4 {
                hear(.telemetry(sample(n)))
                await pause()
            }
            #expect(store.samples.isEmpty)
            store.fail(nil)
            await pause()
            #expect(store.samples.map(\.n) == [1, 2, 3, 4])
        }
        #expect(
            notices.all == [
                "the history is not kept for now: no room", "the history is kept again",
            ])
    }

    @Test func whatWaitsIsBounded() async {
        await recording {
            store.fail(HistoryError(.full, "no room"))
            for round in 0..<5 {
                for n in 1...5_000 { hear(.telemetry(sample(round * 5_000 + n))) }
                await pause()
            }
            store.fail(nil)
            await pause()
        }
        #expect(store.samples.count <= 20_000)
        #expect(store.samples.last?.n == 25_000)
        let missing = 25_000 - store.samples.count
        #expect(
            notices.all.last
                == "the history is kept again; \(missing) samples and events are missing")
    }

    @Test func upkeepIsDoneInSmallStepsFirstAndEveryTenMinutes() async {
        await recording {
            for _ in 1..<60 { await pause() }
            #expect(store.upkeeps.count == 1)
            store.leaveWork(3)
            await pause()
            // Three with work, one without.
            #expect(store.upkeeps.count == 5)
            #expect(store.upkeeps.last == clock.now.wall)
        }
    }

    /// A simulated home may be sixty times as fast.
    @Test func upkeepIsDoneEarlierWhereMuchHasCome() async {
        await recording {
            for n in 1...239 { hear(.telemetry(sample(n))) }
            await pause()
            #expect(store.upkeeps.count == 1)
            hear(.telemetry(sample(240)))
            await pause()
            #expect(store.upkeeps.count == 2)
        }
    }

    /// The history of a server that did not run for long may need minutes of it.
    @Test func whatIsHeardIsWrittenDuringLongUpkeep() async {
        let written = Notices()
        await recording {
            for _ in 1..<60 { await pause() }
            store.fail(HistoryError(.busy, "another process holds it"))
            hear(.telemetry(sample(1)))
            while recorder.heardCount < said.value { await Task.yield() }
            store.leaveWork(2) { [clock] store in
                written.add("\(store.samples.count)")
                store.fail(nil)
                clock.advance(by: RecordingPace.file.pause)
            }
            clock.advance(by: RecordingPace.file.pause)
            // One at the beginning, two with work, one without.
            while store.upkeeps.count < 4 { await Task.yield() }
        }
        #expect(written.all == ["0", "1", "1"])
    }

    @Test func aDeviceThatFloodsTakesHalfOfTheMemoryAndLeavesRoomForOthers() async {
        let flood = EventReport(
            .literal("flood"), detail: ["x": .string(String(repeating: "x", count: 60_000))])
        await recording {
            store.fail(HistoryError(.full, "no room"))
            hear(.telemetry(sample(1)), of: .literal("lamp-1"))
            for _ in 1...3 {
                for _ in 1...200 { hear(.event(flood)) }
                await pause()
            }
            hear(.telemetry(sample(2)), of: .literal("lamp-1"))
            await pause()
            store.fail(nil)
            await pause()
        }
        #expect(store.samples.map(\.n) == [1, 2])
        #expect((200...RecordingPace.file.mostBytes / 2 / 60_000).contains(store.facts.count))
        let missing = 600 - store.facts.count
        #expect(
            notices.all.last
                == "the history is kept again; \(missing) samples and events are missing")
    }

    // MARK: The recorder

    private func recording(_ body: () async -> Void) async {
        let changes = live.recordableChanges()
        let recorder = recorder
        async let run: Void = recorder.run { await recorder.hear(changes, of: .literal("home-1")) }
        _ = await clock.sleeper(within: RecordingPace.file.pause)
        await body()
        live.finish()
        await run
    }

    /// Lets the pause pass in which the recorder is, and waits for the next one.
    private func pause() async {
        // What was heard is read on another task.
        while recorder.heardCount < said.value { await Task.yield() }
        clock.advance(by: RecordingPace.file.pause)
        _ = await clock.sleeper(within: RecordingPace.file.pause)
    }

    private func sample(_ n: Int) -> TelemetryReport {
        TelemetryReport(
            ["x": .number(Double(n))], boot: .literal("b1"),
            at: Timestamp(milliseconds: 1_764_000_000_000 + n), n: n)
    }

    private func hear(
        _ content: DeviceObservation.Content, of device: DeviceID = .literal("robot-1")
    ) {
        said.rise()
        live.apply(
            DeviceObservation(
                channel: .literal("mqtt"), home: .literal("home-1"), device: device,
                content: content))
    }
}

/// What the recorder has said.
private final class Notices: Sendable {
    private let texts = Guarded<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
}

/// How much was said to the recorder.
private final class Counter: Sendable {
    private let count = Guarded(0)
    var value: Int { count.withLock { $0 } }
    func rise() { count.withLock { $0 += 1 } }
}
