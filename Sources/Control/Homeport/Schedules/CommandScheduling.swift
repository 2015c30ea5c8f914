internal import Connectivity
public import DeviceControl
public import DeviceDomain
internal import HomeModel

/// The schedules of a controller in a home, and what their runs do.
public struct CommandScheduling: Sendable {
    let commands: CommandSending

    private var home: HomeID { commands.observation.home }
    private var controller: ControllerID { commands.controller }

    /// The schedules in the order in which they were added.
    func schedules() async throws(HomeError) -> [Schedule] {
        let now = commands.observation.clock.now.wall
        return try await commands.lifetime.withStorage {
            try await $0.schedules.schedules(of: controller, in: home)
                .map { $0.withMisses(until: now, in: .system) }
        }
    }

    /// Adds a schedule; its command is checked as one that is sent now.
    func add(
        _ name: CommandName, _ arguments: GivenArguments, toDeviceCalled reference: String,
        at rule: ScheduleRule
    ) async throws(HomeError) -> Schedule {
        let now = commands.observation.clock.now.wall
        try requireToCome(rule, after: now)
        let command = try await checked(name, arguments, toDeviceCalled: reference)
        return try await commands.lifetime.withStorage {
            try await $0.schedules.add(command, at: rule, of: controller, in: home, from: now)
        }
    }

    /// Changes when a schedule is due, and what its command is given: its device and command stay. A run that has
    /// begun goes on.
    /// - Parameters:
    ///   - schedule: which one.
    ///   - arguments: checked as those of a command that is sent; `nil` leaves them as they are.
    ///   - rule: `nil` leaves it as it is.
    /// - Throws: ``HomeError`` `unknownSchedule`, and as ``Home/addSchedule(_:_:toDeviceCalled:at:)``.
    public func change(
        _ schedule: ScheduleID, _ arguments: JSONObject? = nil, at rule: ScheduleRule? = nil
    ) async throws(HomeError) -> Schedule {
        try await change(schedule, given: arguments.map { .values($0) }, at: rule)
    }

    /// As ``change(_:_:at:)``, with arguments as somebody typed them.
    public func change(
        _ schedule: ScheduleID, typed arguments: TypedArguments, at rule: ScheduleRule? = nil
    ) async throws(HomeError) -> Schedule {
        try await change(schedule, given: .typed(arguments), at: rule)
    }

    private func change(
        _ id: ScheduleID, given arguments: GivenArguments?, at rule: ScheduleRule?
    ) async throws(HomeError) -> Schedule {
        let now = commands.observation.clock.now.wall
        guard var schedule = try await schedules().first(where: { $0.id == id }) else {
            throw unknown(id)
        }
        let rule = rule ?? schedule.rule
        try requireToCome(rule, after: now)
        var command = schedule.command
        if let arguments {
            command = try await checked(
                command.name, arguments, toDeviceCalled: command.device.text)
        }
        let changed = command
        let isKnown = try await commands.lifetime.withStorage {
            try await $0.schedules.change(
                id, to: changed, at: rule, of: controller, in: home, from: now)
        }
        guard isKnown else { throw unknown(id) }
        schedule.history.decidedUntil = max(schedule.history.decidedUntil, now)
        return Schedule(
            id: id, command: command, rule: rule, isPaused: schedule.isPaused,
            history: schedule.history)
    }

    /// Pauses a schedule: it is never due until ``resume(_:)``. A run that has begun goes on.
    /// - Throws: ``HomeError`` `unknownSchedule`, `ledger`.
    public func pause(_ schedule: ScheduleID) async throws(HomeError) {
        try await pause(schedule, true)
    }

    /// Lets a schedule go on that was paused. What was due meanwhile does not count as missed.
    /// - Throws: ``HomeError`` `unknownSchedule`, `ledger`.
    public func resume(_ schedule: ScheduleID) async throws(HomeError) {
        try await pause(schedule, false)
    }

    private func pause(_ id: ScheduleID, _ isPaused: Bool) async throws(HomeError) {
        let now = commands.observation.clock.now.wall
        let isKnown = try await commands.lifetime.withStorage {
            try await $0.schedules.pause(id, isPaused, of: controller, in: home, from: now)
        }
        guard isKnown else { throw unknown(id) }
    }

    private func requireToCome(
        _ rule: ScheduleRule, after now: Timestamp
    ) throws(HomeError) {
        guard rule.next(after: now, in: .system) != nil else {
            throw HomeError(.badSchedule, "\(rule) has passed; name a time to come")
        }
    }

    /// A command that is checked as one that is sent now.
    private func checked(
        _ name: CommandName, _ arguments: GivenArguments, toDeviceCalled reference: String
    ) async throws(HomeError) -> ScheduledCommand {
        let known = try await commands.rememberedReceiver(reference)
        let order = try commands.order(name, arguments, for: known, CommandOptions())
        return ScheduledCommand(device: known.id, name: order.name, arguments: order.arguments)
    }

    private func unknown(_ schedule: ScheduleID) -> HomeError {
        HomeError(
            .unknownSchedule,
            "the ledger has no schedule \(schedule) of \(controller) in \(home)")
    }

    /// Removes a schedule.
    func remove(_ schedule: ScheduleID) async throws(HomeError) {
        let isRemoved = try await commands.lifetime.withStorage {
            try await $0.schedules.remove(schedule, of: controller, in: home)
        }
        guard isRemoved else { throw unknown(schedule) }
    }

    /// Runs the schedules until the task is cancelled.
    func run(
        clock: any CommandClock, calendar: LocalCalendar,
        _ report: @escaping @Sendable (Result<ScheduleNotice, HomeError>) -> Void
    ) async throws(HomeError) {
        let storage = try await commands.lifetime.storage()
        let runner = ScheduleRunner(
            repository: storage.schedules, owner: (controller, home), clock: clock,
            calendar: calendar,
            start: { await start($0, due: $1, by: clock) },
            lookUp: { schedule, due throws(LedgerError) in
                try await lookUp(schedule, due: due, in: storage)
            },
            report: { report($0.mapError(HomeError.init)) })
        await runner.run()
    }

    /// Sends the command of a run that is due.
    private func start(
        _ schedule: Schedule, due: Timestamp, by clock: any CommandClock
    ) async -> ScheduleNotice.Content? {
        do throws(HomeError) {
            let known = try await commands.receiver(schedule.command.device)
            let rest = Schedule.longestDelay - clock.now.wall.since(due)
            guard rest > .zero else {
                return .missed("\(known.id) was not found within \(Schedule.longestDelay.text)")
            }
            let options = CommandOptions(lifetime: rest, cause: schedule.cause(of: due))
            let receipt = try await commands.submit(
                try commands.order(
                    schedule.command.name, .values(schedule.command.arguments), for: known,
                    options))
            let goal: WaitGoal = receipt.record.intent.sort == .action ? .accepted : .final
            return ScheduleNotice.Content(try await receipt.outcome(goal).record)
        } catch {
            return error.code == .cancelled || error.code == .notRunning
                ? nil : .missed(error.message)
        }
    }

    /// What became of a run whose process has died; `nil` while its command is open.
    private func lookUp(
        _ schedule: Schedule, due: Timestamp, in storage: HomeStorage
    ) async throws(LedgerError) -> ScheduleNotice.Content? {
        let query = HistoryQuery(
            controller: controller, home: home, cause: schedule.cause(of: due), limit: 1)
        guard let record = try await storage.ledger.history(query).first else {
            return .missed("the server ended before it had sent the command")
        }
        return record.state.awaitsFirstAck ? nil : ScheduleNotice.Content(record)
    }
}

extension ScheduleNotice.Content {
    /// A command that certainly never started is a missed run.
    fileprivate init(_ record: CommandRecord) {
        switch record.state {
        case .superseded where record.progress.sends == 0, .refused, .expired:
            self = .missed("\(record.state.rawValue): \(record.progress.message)")
        case .created, .queued, .sending, .sent, .accepted, .running, .succeeded, .failed,
            .rejected, .cancelled, .superseded, .unknown:
            self = .sent(record)
        }
    }
}
