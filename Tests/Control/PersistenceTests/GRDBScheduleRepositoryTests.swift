import DeviceControl
import DeviceDomain
import Persistence
import TestSupport
import Testing

@Suite(.onEveryDatabase, .timeLimit(.minutes(2))) struct GRDBScheduleRepositoryTests {
    private let repository: any ScheduleRepository
    private let controller: ControllerID
    private let home: HomeID
    private let start = Timestamp(milliseconds: 1_764_000_000_000)

    init() async throws {
        repository = try await LedgerHouse.requireCurrent().schedules()
        controller = try ControllerID("homeport")
        home = try HomeID("home-1")
    }

    @Test func whatIsAddedIsReadBack() async throws {
        let weekly = try await add(.weekly(time("08:30"), on: [.monday, .sunday]))
        let once = try await add(
            .once(time("23:59"), on: try #require(CalendarDate("2026-12-24"))))
        #expect(try await schedules() == [weekly, once])
        #expect(weekly.history == ScheduleHistory(decidedUntil: start))
        #expect(
            weekly.command
                == ScheduledCommand(
                    device: try DeviceID("sweeper-1"),
                    name: CommandName(rawValue: "start-cleaning"), arguments: ["rooms": [1, 2]]))
    }

    @Test func anotherHomeOrControllerHasItsOwn() async throws {
        let schedule = try await add(.weekly(time("08:30"), on: [.monday]))
        let other = try HomeID("home-2")
        #expect(try await repository.schedules(of: controller, in: other).isEmpty)
        #expect(
            try await repository.schedules(of: try ControllerID("other"), in: home).isEmpty)
        #expect(try await !repository.remove(schedule.id, of: controller, in: other))
        #expect(try await schedules() == [schedule])
    }

    @Test func aNumberIsNeverUsedAgain() async throws {
        let first = try await add(.weekly(time("08:30"), on: [.monday]))
        #expect(try await repository.remove(first.id, of: controller, in: home))
        #expect(try await !repository.remove(first.id, of: controller, in: home))
        let second = try await add(.weekly(time("08:30"), on: [.monday]))
        #expect(second.id > first.id)
    }

    @Test func aScheduleIsChanged() async throws {
        let schedule = try await add(.weekly(time("08:30"), on: [.monday]))
        let command = ScheduledCommand(
            device: try DeviceID("sweeper-2"), name: CommandName(rawValue: "locate"), arguments: [:]
        )
        let rule = ScheduleRule.once(
            try time("09:00"), on: try #require(CalendarDate("2026-12-24")))
        let later = start.advanced(by: .seconds(60))
        let other = try HomeID("home-2")
        #expect(
            try await !repository.change(
                schedule.id, to: command, at: rule, of: controller, in: other, from: later))
        #expect(try await schedules() == [schedule])
        #expect(
            try await repository.change(
                schedule.id, to: command, at: rule, of: controller, in: home, from: later))
        #expect(
            try await schedules() == [
                Schedule(
                    id: schedule.id, command: command, rule: rule,
                    history: ScheduleHistory(decidedUntil: later))
            ])
    }

    @Test func aPausedScheduleIsNotTakenAndWhatWasDueMeanwhileDoesNotCount() async throws {
        let schedule = try await add(.weekly(time("08:30"), on: Set(Weekday.allCases)))
        let due = start.advanced(by: .seconds(60))
        #expect(
            try await repository.pause(schedule.id, true, of: controller, in: home, from: start))
        #expect(try await !repository.take(due, of: schedule.id))
        let paused = try #require(try await schedules().first)
        #expect(paused.isPaused && paused.next(after: start, in: .system) == nil)
        let muchLater = start.advanced(by: .seconds(7 * 86_400))
        #expect(paused.outlook(at: muchLater, in: .system).missed.isEmpty)
        #expect(
            try await repository.pause(
                schedule.id, false, of: controller, in: home, from: muchLater))
        let resumed = try #require(try await schedules().first)
        #expect(!resumed.isPaused && resumed.outlook(at: muchLater, in: .system).missed.isEmpty)
        let other = try ControllerID("other")
        #expect(try await !repository.pause(schedule.id, true, of: other, in: home, from: start))
    }

    @Test func onlyOneProcessGetsARun() async throws {
        let schedule = try await add(.weekly(time("08:30"), on: [.monday]))
        let other = try await LedgerHouse.requireCurrent().schedules()
        let due = start.advanced(by: .seconds(60))
        async let ours = repository.take(due, of: schedule.id)
        async let theirs = other.take(due, of: schedule.id)
        let taken = try await [ours, theirs]
        #expect(taken.filter(\.self).count == 1)
        #expect(try await !repository.miss(due, of: schedule.id))
        #expect(
            try await schedules().map(\.history)
                == [ScheduleHistory(decidedUntil: due, taken: due)])
    }

    @Test(arguments: [ScheduleRun.sent, .missed])
    func aReportEndsTheRun(run: ScheduleRun) async throws {
        let schedule = try await add(.weekly(time("08:30"), on: [.monday]))
        let due = start.advanced(by: .seconds(60))
        #expect(try await repository.take(due, of: schedule.id))
        try await repository.report(run, due: due, of: schedule.id)
        var expected = ScheduleHistory(decidedUntil: due)
        if run == .sent { expected.lastRun = due } else { expected.lastMissed = due }
        #expect(try await schedules().map(\.history) == [expected])
    }

    @Test func aLateReportDoesNotEndALaterRun() async throws {
        let schedule = try await add(.weekly(time("08:30"), on: [.monday]))
        let (first, second) = (
            start.advanced(by: .seconds(60)), start.advanced(by: .seconds(120))
        )
        #expect(try await repository.take(first, of: schedule.id))
        #expect(try await repository.take(second, of: schedule.id))
        try await repository.report(.sent, due: first, of: schedule.id)
        #expect(
            try await schedules().map(\.history)
                == [ScheduleHistory(decidedUntil: second, taken: second, lastRun: first)])
    }

    @Test func whatIsMissedCanNotBeTaken() async throws {
        let schedule = try await add(.weekly(time("08:30"), on: [.monday]))
        let due = start.advanced(by: .seconds(60))
        #expect(try await repository.miss(due, of: schedule.id))
        #expect(try await !repository.take(due, of: schedule.id))
        #expect(
            try await schedules().map(\.history)
                == [ScheduleHistory(decidedUntil: due, lastMissed: due)])
    }

    private func time(_ text: String) throws -> TimeOfDay { try #require(TimeOfDay(text)) }

    private func add(_ rule: ScheduleRule) async throws -> Schedule {
        let command = ScheduledCommand(
            device: try DeviceID("sweeper-1"), name: CommandName(rawValue: "start-cleaning"),
            arguments: ["rooms": [1, 2]])
        return try await repository.add(command, at: rule, of: controller, in: home, from: start)
    }

    private func schedules() async throws -> [Schedule] {
        try await repository.schedules(of: controller, in: home)
    }
}
