import Basics
import DeviceDomain
import DeviceMessages
import DeviceSimulation
import TestSupport
import Testing

@testable import Fleet

/// What reports and metrics count.
@Suite struct FiguresTests {
    @Test func quantilesOfTimesAreExactToAPercent() {
        var times = MillisecondHistogram()
        #expect(times.quantile(0.5) == 0)
        for time in 1...10_000 { times.add(milliseconds: time) }
        #expect(times.total == 10_000 && times.sum == 50_005_000 && times.largest == 10_000)
        for (share, time) in [(0.01, 100.0), (0.5, 5000), (0.99, 9900), (1, 10_000)] {
            let found = Double(times.quantile(share))
            #expect(found >= time && found <= time * 1.01, "\(share): \(found)")
        }
        times.add(milliseconds: -5)
        #expect(times.quantile(0) == 0)
    }

    @Test func timesOfTwoProcessesAreAddedUp() {
        var (one, other, all) = (
            MillisecondHistogram(), MillisecondHistogram(), MillisecondHistogram()
        )
        for time in stride(from: 0, to: 100_000_000, by: 777_777) {
            one.add(milliseconds: time)
            other.add(milliseconds: time / 1000)
            all.add(milliseconds: time)
            all.add(milliseconds: time / 1000)
        }
        one.merge(MillisecondHistogram(other.members))
        #expect(one == all)
        #expect(one.count(upTo: 250) <= one.count(upTo: 500) && one.count(upTo: .max) == one.total)
    }

    @Test func snapshotsOfTwoProcessesAreAddedUp() {
        var snapshot = FleetSnapshot()
        snapshot.totalDevices = 3
        snapshot.readyDevices = 2
        snapshot.activities = [.init(kind: "pool-robot", name: "idle"): 2]
        snapshot.tally.sent = ["ack": 4]
        snapshot.faults = ["stuck": 1]
        snapshot.lateness.add(milliseconds: 7)
        snapshot.worldSeconds = 60
        snapshot.speedRatio = 0.5
        var sum = FleetSnapshot()
        sum.worldSeconds = 60
        sum.add(snapshot.members)
        #expect(sum == snapshot)
        sum.add(snapshot.members)
        #expect(sum.totalDevices == 6 && sum.tally.sent == ["ack": 8] && sum.worldSeconds == 60)
        #expect(sum.activities == [.init(kind: "pool-robot", name: "idle"): 4])
        #expect(sum.lateness.total == 2 && sum.faults == ["stuck": 2])
    }

    @Test func metricsHaveHistogramsInSeconds() {
        var snapshot = FleetSnapshot()
        for time in [3, 40, 700] { snapshot.commandLatency.add(milliseconds: time) }
        snapshot.faults = ["stuck": 2]
        let text = PrometheusText.of(snapshot)
        let name = "homeport_command_latency_seconds"
        #expect(text.contains("# TYPE \(name) histogram\n"))
        #expect(text.contains("\(name)_bucket{le=\"0.005\"} 1\n"))
        #expect(text.contains("\(name)_bucket{le=\"0.05\"} 2\n"))
        #expect(text.contains("\(name)_bucket{le=\"+Inf\"} 3\n"))
        #expect(text.contains("\(name)_sum 0.743\n") && text.contains("\(name)_count 3\n"))
        #expect(text.contains("homeport_faults_active{fault=\"stuck\"} 2\n"))
        #expect(text.contains("homeport_world_seconds_total 0.0\n"))
        #expect(text.contains("homeport_speed_ratio 1.0\n"))
    }

    @Test func commandsAreCountedByHowTheyEnded() throws {
        var tally = CommandTally()
        let (key, other) = (try command(1), try command(2))
        tally.note(.entered(try entry(key, .accepted, at: 1000)), of: 3)
        tally.note(.entered(try entry(key, .accepted, at: 1000)), of: 4)
        tally.note(.entered(try entry(other, .rejected, at: 1000)), of: 3)
        #expect(tally.sent == 3 && tally.open == 2 && tally.ended == [.rejected: 1])
        let end = FinishedCommand(key, try ack(key, .succeeded, at: 4500))
        tally.note(.finished([end], nil), of: 3)
        #expect(tally.open == 1 && tally.ended == [.rejected: 1, .succeeded: 1])
        #expect(tally.latency.largest == 4499, "its id is of the first millisecond")
        tally.note(.finished([end], nil), of: 5)
        #expect(tally.ended[.succeeded] == 1, "it came before this run")
        var sum = CommandTally(tally.members)
        #expect(sum.open == 1 && sum.ended == tally.ended && sum.latency == tally.latency)
        sum.merge(CommandTally(tally.members))
        #expect(sum.sent == 6)
    }

    /// Latency begins when a command was meant to be sent: that is the time of its id, where it can be.
    @Test(arguments: [(-100, 600), (500, 500), (-86_400_001, 500)])
    func latencyBeginsWithTheTimeOfTheID(made: Int, latency: Int) throws {
        var tally = CommandTally()
        let arrival = 100_000_000
        let key = try command(arrival + made)
        tally.note(.entered(try entry(key, .accepted, at: arrival)), of: 0)
        let end = FinishedCommand(key, try ack(key, .succeeded, at: arrival + 500))
        tally.note(.finished([end], nil), of: 0)
        #expect(tally.latency.largest == latency)
    }

    @Test func aRunWhoseSamplesCameLateIsNotValid() throws {
        var report = FleetReport(
            seed: 1, epoch: Timestamp(milliseconds: 0), world: .seconds(1), wall: .seconds(1))
        for _ in 0..<990 { report.lateness.add(milliseconds: 5) }
        for _ in 0..<9 { report.lateness.add(milliseconds: 2000) }
        #expect(report.reason == nil)
        report.lateness.add(milliseconds: 2000)
        report.lateness.add(milliseconds: 2000)
        #expect(report.reason?.contains("2000 ms late") == true, "\(report.reason ?? "")")
        #expect(report.reason?.hasSuffix("and the latest one 2000 ms") == true)
        report.saturation = Saturation(
            reached: 12.34, wanted: 60,
            longest: Saturation.Delay(start: .seconds(90), length: .milliseconds(72_400)))
        #expect(
            report.reason?.hasSuffix(
                "behind the world clock for 1m12s at most, from 1m30s of the world on") == true)
        #expect(report.reason?.contains("reached 12.3 world seconds per second") == true)
        let text = String(decoding: report.json, as: UTF8.self)
        #expect(
            text.contains(
                "\"valid\":false,\"reason\":\"generator saturated, result invalid: the machine "
                    + "reached 12.3"))
    }

    @Test func faultsAreLoggedWithTheirTimes() throws {
        var log = FaultLog()
        let device = DeviceKey(home: try HomeID("home-1"), device: try DeviceID("sweeper-1"))
        func note(_ order: FaultOrder, _ at: Int) {
            log.note(order, of: device, at: Timestamp(milliseconds: at))
        }
        note(.inject(try Fault(.stuck), lasting: nil), 100)
        note(.inject(try Fault(.mute), lasting: .milliseconds(50)), 200)
        note(.inject(try Fault(.reboot), lasting: nil), 210)
        note(.clear(nil), 300)
        note(.inject(try Fault(.stuck), lasting: nil), 400)
        let found = log.entries.map {
            [$0.fault, "\($0.from.milliseconds)", "\($0.until?.milliseconds ?? 0)"]
        }
        #expect(
            found == [
                ["stuck", "100", "300"], ["mute", "200", "250"], ["reboot", "210", "210"],
                ["stuck", "400", "0"],
            ])
        #expect(log.entries.compactMap { FaultLog.Entry($0.members) } == log.entries)
    }

    private func command(_ number: Int) throws -> CommandKey {
        var ids = SeededGenerator(seed: UInt64(number))
        return CommandKey(
            controller: try ControllerID("ctl"),
            id: CommandID(at: Timestamp(milliseconds: number), using: &ids))
    }

    private func ack(_ key: CommandKey, _ stage: AckStage, at time: Int) throws -> AckMessage {
        AckMessage(
            id: key.id, device: try DeviceID("sweeper-1"), boot: try BootID("b1"), n: 1,
            stage: stage, message: "", revision: 1, executions: 0,
            at: Timestamp(milliseconds: time))
    }

    private func entry(_ key: CommandKey, _ stage: AckStage, at time: Int) throws -> JournalEntry {
        JournalEntry(
            command: key, payload: [], isUrgent: false, ack: try ack(key, stage, at: time),
            expiry: Timestamp(milliseconds: time))
    }
}

/// Whether the machine keeps up.
@Suite struct SpeedWatchTests {
    /// A watch over devices that are woken once a second.
    private final class Wakes {
        var watch = SpeedWatch(speed: 60)

        /// Wakes so late; returns what is told.
        func wake(
            _ seconds: ClosedRange<Int>, lag: (Int) -> Duration
        ) -> [SpeedWatch.Change] {
            seconds.compactMap { watch.note(lag: lag($0), at: .seconds($0)) }
        }
    }

    private let wakes = Wakes()

    @Test func nothingIsToldWhileItKeepsUp() {
        #expect(wakes.wake(0...60) { _ in .milliseconds(20) } == [])
        #expect(wakes.watch.reached == 60 && wakes.watch.lowest == nil)
    }

    @Test func aStartThatIsCaughtUpWithIsNoShortage() {
        #expect(wakes.wake(0...20) { .seconds(max(0, 10 - $0)) } == [])
        #expect(wakes.watch.lowest == nil)
    }

    @Test func theSpeedIsToldOnceAndWhenItIsOver() {
        _ = wakes.wake(0...10) { _ in .zero }
        let told = wakes.wake(11...60) { .milliseconds(500 * ($0 - 10)) }
        #expect(told.count == 1)
        guard case .behind(let reached)? = told.first else { return #expect(told.isEmpty == false) }
        #expect(reached >= 29 && reached < 40, "\(reached)")
        #expect(
            wakes.wake(61...120) { .milliseconds(max(0, 25_000 - 1000 * ($0 - 60))) } == [.caughtUp]
        )
        #expect(wakes.watch.lowest ?? 0 >= 29)
        #expect(wakes.watch.longest.map { $0.length >= .seconds(5) } == true)
    }

    /// Devices that leave out the beginning of a long pause are no longer late, and yet behind.
    @Test func whatIsLeftOutOfTheWorldCounts() {
        _ = wakes.watch.note(lag: .seconds(4), at: .zero)
        wakes.watch.leaveOut(.seconds(3))
        #expect(wakes.watch.note(lag: .seconds(4), at: .seconds(6)) == .behind(reached: 30))
    }
}

/// What several processes say, as one.
@Suite struct JoinedNoticesTests {
    private final class Board {
        private var joined = JoinedNotices(
            devices: 14, parts: 2,
            outages: [
                "": JoinedOutage(devices: 14, parts: [1, 2]),
                "mqtt://a": JoinedOutage(devices: 9, parts: [2]),
            ])

        /// What is told of a notice that came over the line between two processes.
        func text(_ notice: FleetNotice, _ part: Int) -> String? {
            FleetNotice(notice.members).flatMap { joined.notice($0, of: part) }.map { "\($0)" }
        }
    }

    private let board = Board()

    @Test func readyIsSaidOnceAllAre() {
        #expect(board.text(.ready(devices: 7), 1) == nil)
        #expect(board.text(.ready(devices: 7), 2) == "ready 14 devices")
    }

    @Test func devicesThatDoNotComeAreSaidOnceForAllProcesses() {
        let late = { FleetNotice.incomplete(unconnected: $0, devices: 7, reason: "full") }
        #expect(board.text(late(2), 1) == nil, "the other one has not said how it goes there")
        #expect(
            board.text(late(3), 2) == "9 of 14 devices are connected; the others try again: full")
        #expect(board.text(.ready(devices: 7), 1) == nil)
        #expect(board.text(.ready(devices: 7), 2) == "ready 14 devices")
    }

    @Test func devicesThatDoNotComeAreSaidWhereTheOtherProcessIsReady() {
        #expect(board.text(.incomplete(unconnected: 2, devices: 7, reason: "full"), 1) == nil)
        #expect(
            board.text(.ready(devices: 7), 2)
                == "12 of 14 devices are connected; the others try again: full")
        #expect(board.text(.ready(devices: 7), 1) == "ready 14 devices")
    }

    @Test func aLossIsSaidOnceAndTheReturnOfAll() {
        let loss = "lost the broker: gone; devices keep running and reconnect"
        #expect(board.text(.brokerLost(broker: nil, reason: "gone"), 2) == loss)
        #expect(board.text(.brokerLost(broker: nil, reason: "gone"), 1) == nil)
        #expect(board.text(.brokerBack(broker: nil, devices: 7), 1) == nil)
        #expect(
            board.text(.brokerBack(broker: nil, devices: 7), 2)
                == "all 14 devices are connected again")
    }

    @Test func aBreakThatIsOverAtOnceIsOneLine() {
        #expect(board.text(.connectionsBroken(broker: nil, reason: "gone", devices: 7), 1) == nil)
        let line = "all connections broke: gone; all 14 devices are connected again"
        #expect(board.text(.connectionsBroken(broker: nil, reason: "gone", devices: 7), 2) == line)
    }

    @Test func aBreakOfOnePartEndsTheLossOfAnother() {
        _ = board.text(.brokerLost(broker: nil, reason: "gone"), 1)
        #expect(board.text(.connectionsBroken(broker: nil, reason: "gone", devices: 7), 2) == nil)
        #expect(
            board.text(.brokerBack(broker: nil, devices: 7), 1)
                == "all 14 devices are connected again")
    }

    /// One part may be back before another has noticed that it was away.
    @Test func theReturnIsNotSaidBeforeTheSlowestPartIsBack() {
        _ = board.text(.brokerLost(broker: nil, reason: "gone"), 1)
        #expect(board.text(.brokerBack(broker: nil, devices: 7), 1) == nil)
        #expect(board.text(.brokerLost(broker: nil, reason: "gone"), 2) == nil)
        #expect(
            board.text(.brokerBack(broker: nil, devices: 7), 2)
                == "all 14 devices are connected again")
    }

    /// Of several brokers one may be lost, and not every process has devices on it.
    @Test func theLossOfOneOfSeveralBrokersHasItsName() {
        #expect(
            board.text(.brokerLost(broker: "mqtt://a", reason: "gone"), 2)
                == "lost the broker mqtt://a: gone; its devices keep running and reconnect")
        #expect(
            board.text(.brokerBack(broker: "mqtt://a", devices: 3), 2)
                == "all 9 devices of mqtt://a are connected again")
        #expect(
            board.text(.connectionsBroken(broker: "mqtt://a", reason: "cut", devices: 3), 2)
                == "all connections to mqtt://a broke: cut; all 9 devices of mqtt://a are connected again"
        )
    }

    @Test func theDevicesOfABrokerAreThoseOfItsHomes() throws {
        let brokers = FleetBrokers([
            try FleetBroker(url: "mqtt://127.0.0.1"), try FleetBroker(url: "mqtt://127.0.0.2"),
        ])
        let homes = FleetHomes.numbered(4)
        let plan = FleetPlan(homes: homes, counts: .usual, seed: 1)
        let outages = brokers.outages(of: plan, in: homes.shared(among: 3))
        let second = try #require(outages["\(brokers.all[1])"])
        // Homes 2 and 4, which processes 2 and 1 have.
        #expect(second.devices == 14 && second.parts == [1, 2])
        #expect(
            FleetBrokers([brokers.all[0]]).outages(of: plan, in: [homes])[""]?.devices == 28)
    }

    @Test func aTroubleAndAShortageAreSaidOnce() {
        #expect(
            board.text(.moreOf(trouble: "t"), 1) != nil
                && board.text(.moreOf(trouble: "t"), 2) == nil)
        let told = board.text(.behind(reached: 12.34, wanted: 60), 1)
        #expect(told?.contains("--speed 60: it reaches 12.3") == true, "\(told ?? "")")
        #expect(board.text(.behind(reached: 10, wanted: 60), 2) == nil)
        #expect(board.text(.caughtUp(speed: 60), 1) == nil)
        #expect(
            board.text(.caughtUp(speed: 60), 2) == "this machine keeps up with --speed 60 again")
        #expect(
            board.text(.refused(device: "d", reason: "no"), 2)
                == "d: the broker refuses it permanently: no")
    }
}
