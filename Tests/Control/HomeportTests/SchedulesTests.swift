import HomeportTesting
import Testing

@testable import Homeport

/// Commands at times of day, on clocks that the tests move.
@Suite(.timeLimit(.minutes(1))) struct SchedulesTests {
    private let channel: ScriptedChannel
    private let house: ScriptedHouse
    private let robot: DeviceID
    private let calendar = LocalCalendar { _ in 0 }

    init() throws {
        channel = ScriptedChannel(id: try ChannelID("test"))
        house = try ScriptedHouse(channel)
        robot = try DeviceID("sweeper-1")
        try house.announce("sweeper-s1", as: robot.text)
    }

    @Test func aRunIsSentOnceByTwoServers() async throws {
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
        try await house.withHome { home in
            let (schedule, due) = try await added(to: home, .locate)
            let clock = ManualClock(wall: due.advanced(by: .seconds(-3)))
            try await withServers(2, of: home, clock) { notices in
                for _ in 0..<2 { _ = await clock.sleeper(within: .seconds(3)) }
                clock.advance(by: .seconds(3))
                let notice = try await notices.next()
                #expect(notice.schedule.id == schedule.id)
                #expect(notice.due == due)
                guard case .sent(let record) = notice.content else {
                    Issue.record("\(notice.content)")
                    return
                }
                #expect(record.intent.cause == "schedule:1:\(due.milliseconds)")
            }
            #expect(try await home.history().count == 1)
            #expect(
                try await home.schedules().map(\.history)
                    == [ScheduleHistory(decidedUntil: due, lastRun: due)])
        }
    }

    @Test func whatWasDueWhileNoServerRanIsMissedAndNotSent() async throws {
        try await house.withHome { home in
            let (_, due) = try await added(to: home, .locate)
            let clock = ManualClock(wall: due.advanced(by: .seconds(86_400 + 3_600)))
            try await withServers(1, of: home, clock) { notices in
                for day in 0..<2 {
                    let notice = try await notices.next()
                    #expect(notice.due == due.advanced(by: .seconds(86_400 * day)))
                    #expect(notice.missedFor == "no server ran at that time")
                }
            }
            #expect(try await home.history().isEmpty)
            #expect(
                try await home.schedules().first?.history.lastMissed
                    == due.advanced(by: .seconds(86_400)))
        }
    }

    @Test func aRunForADeviceThatIsAwayIsMissed() async throws {
        try await house.withHome { home in
            let (_, due) = try await added(to: home, .locate)
            channel.deliver(.presence(Presence(.offline)), from: robot, in: house.id)
            try await withServers(1, of: home, ManualClock(wall: due)) { notices in
                let reason = try await notices.next().missedFor
                #expect(reason?.hasPrefix("refused: ") == true, "\(reason ?? "")")
            }
            #expect(try await home.schedules().first?.history.lastMissed == due)
        }
    }

    @Test func aRunWhoseServerDiedBeforeItWasSentIsMissed() async throws {
        try await house.withHome { home in
            let (schedule, due) = try await added(to: home, .locate)
            let repository = try await home.lifetime.storage().schedules
            #expect(try await repository.take(due, of: schedule.id))
            let clock = ManualClock(wall: due.advanced(by: .seconds(61)))
            try await withServers(1, of: home, clock) { notices in
                let reason = try await notices.next().missedFor
                #expect(reason == "the server ended before it had sent the command")
            }
            #expect(try await home.history().isEmpty)
        }
    }

    @Test func aRunThatAnotherCommandReplacedBeforeItWasSentIsMissed() async throws {
        try await house.withHome { home in
            let (schedule, due) = try await added(to: home, .startCleaning)
            let repository = try await home.lifetime.storage().schedules
            #expect(try await repository.take(due, of: schedule.id))
            channel.deliver(.presence(Presence(.offline)), from: robot, in: house.id)
            let receipt = try await home.send(
                .startCleaning, to: robot, options: CommandOptions(cause: schedule.cause(of: due)))
            _ = try await home.send(.stop, to: robot)
            #expect(try await receipt.finished().record.state == .superseded)
            let clock = ManualClock(wall: due.advanced(by: .seconds(61)))
            try await withServers(1, of: home, clock) { notices in
                let reason = try await notices.next().missedFor
                #expect(reason?.hasPrefix("superseded: ") == true, "\(reason ?? "")")
            }
        }
    }

    @Test func aRunWhoseServerDiedAfterItWasSentIsFoundInTheLedger() async throws {
        channel.onSend { $0.acknowledged(.accepted) }
        try await house.withHome { home in
            let (schedule, due) = try await added(to: home, .startCleaning)
            let repository = try await home.lifetime.storage().schedules
            #expect(try await repository.take(due, of: schedule.id))
            let receipt = try await home.send(
                .startCleaning, to: robot, options: CommandOptions(cause: schedule.cause(of: due)))
            _ = try await receipt.accepted()
            let clock = ManualClock(wall: due.advanced(by: .seconds(61)))
            try await withServers(1, of: home, clock) { notices in
                guard case .sent(let record) = try await notices.next().content else {
                    Issue.record("counted as missed")
                    return
                }
                #expect(record.id == receipt.id)
            }
        }
    }

    @Test func whatTheDeviceDoesNotTakeIsNotAdded() async throws {
        try await house.withHome { home in
            let rule = ScheduleRule.weekly(try #require(TimeOfDay("08:30")), on: [.monday])
            let error = await #expect(throws: HomeError.self) {
                try await home.addSchedule(
                    .startCleaning, ["rooms": "kitchen"], toDeviceCalled: robot.text, at: rule)
            }
            #expect(error?.code == .refusedCommand)
            let stranger = await #expect(throws: HomeError.self) {
                try await home.addSchedule(.locate, toDeviceCalled: "nobody", at: rule)
            }
            #expect(stranger?.code == .unknownDevice)
            let date = try #require(CalendarDate("2020-01-01"))
            let past = await #expect(throws: HomeError.self) {
                try await home.addSchedule(
                    .locate, toDeviceCalled: robot.text, at: .once(rule.time, on: date))
            }
            #expect(past?.message == "08:30 2020-01-01 has passed; name a time to come")
            #expect(try await home.schedules().isEmpty)
        }
    }

    @Test func aScheduleIsRemovedOnce() async throws {
        try await house.withHome { home in
            let (schedule, _) = try await added(to: home, .locate)
            try await home.removeSchedule(schedule.id)
            #expect(try await home.schedules().isEmpty)
            let error = await #expect(throws: HomeError.self) {
                try await home.removeSchedule(schedule.id)
            }
            #expect(error?.code == .unknownSchedule)
        }
    }

    // MARK: Steps

    /// Adds a daily schedule, and tells when it is due first.
    private func added(
        to home: Home, _ name: CommandName
    ) async throws -> (Schedule, due: Timestamp) {
        let schedule = try await home.addSchedule(
            name, toDeviceCalled: robot.text,
            at: .weekly(try #require(TimeOfDay("08:30")), on: Set(Weekday.allCases)))
        let due = schedule.next(after: schedule.history.decidedUntil, in: calendar)
        return (schedule, try #require(due))
    }

    /// Lets servers run the schedules while `body` reads their notices.
    private func withServers(
        _ count: Int, of home: Home, _ clock: ManualClock,
        _ body: (Notices) async throws -> Void
    ) async throws {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Result<ScheduleNotice, HomeError>.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await home.runSchedules(clock: clock, calendar: calendar) {
                        continuation.yield($0)
                    }
                }
            }
            try await body(Notices(stream: stream))
            group.cancelAll()
        }
    }
}

/// What servers report.
private struct Notices: Sendable {
    let stream: AsyncStream<Result<ScheduleNotice, HomeError>>

    func next() async throws -> ScheduleNotice {
        let notice = await stream.first { _ in true }
        return try #require(notice).get()
    }
}

extension ScheduleNotice {
    fileprivate var missedFor: String? {
        if case .missed(let reason) = content { reason } else { nil }
    }
}
