internal import Connectivity
public import DeviceControl
public import DeviceDomain
internal import HomeModel

extension Home {
    /// The schedules of this controller in the home, in the order in which they were added. It needs
    /// no connection.
    /// - Throws: ``HomeError`` `ledger`.
    public func schedules() async throws(HomeError) -> [Schedule] {
        let control = try await openedControl()
        do {
            return try await control.schedules.schedules(of: controller, in: id)
                .map { $0.withMisses(until: MachineClock.wallTime, in: .system) }
        } catch {
            throw HomeError(error)
        }
    }

    /// Adds a schedule to the ledger, from where ``runSchedules(_:)`` of any process runs it. The
    /// command is checked as by ``send(_:_:toDeviceCalled:options:)``; for a device that the ledger
    /// remembers no connection is needed.
    /// - Throws: ``HomeError`` `badSchedule` where it would never be due, `unknownDevice`,
    ///   `ambiguousName`, `refusedCommand`, `noConnection`, `ledger`.
    public func addSchedule(
        _ name: CommandName, _ arguments: JSONObject = [:], toDeviceCalled reference: String,
        at rule: ScheduleRule
    ) async throws(HomeError) -> Schedule {
        try await addSchedule(name, .values(arguments), toDeviceCalled: reference, at: rule)
    }

    /// As ``addSchedule(_:_:toDeviceCalled:at:)``, with arguments as somebody typed them.
    public func addSchedule(
        _ name: CommandName, typed arguments: TypedArguments, toDeviceCalled reference: String,
        at rule: ScheduleRule
    ) async throws(HomeError) -> Schedule {
        try await addSchedule(name, .typed(arguments), toDeviceCalled: reference, at: rule)
    }

    private func addSchedule(
        _ name: CommandName, _ arguments: GivenArguments, toDeviceCalled reference: String,
        at rule: ScheduleRule
    ) async throws(HomeError) -> Schedule {
        let now = MachineClock.wallTime
        guard rule.next(after: now, in: .system) != nil else {
            throw HomeError(.badSchedule, "\(rule) has passed; name a time to come")
        }
        let known = try await findRemembered(reference)
        let order = try order(name, arguments, for: known, CommandOptions())
        let control = try await openedControl()
        do {
            return try await control.schedules.add(
                ScheduledCommand(
                    device: known.id, name: order.name, arguments: order.arguments),
                at: rule, of: controller, in: id, from: now)
        } catch {
            throw HomeError(error)
        }
    }

    /// As ``addSchedule(_:_:toDeviceCalled:at:)``, with a command of the type that the device
    /// understands.
    public func addSchedule<Receiver: Device>(
        _ command: CommandRequest<Receiver>, to receiver: Receiver, at rule: ScheduleRule
    ) async throws(HomeError) -> Schedule {
        try await addSchedule(
            command.name, command.arguments, toDeviceCalled: receiver.id.text, at: rule)
    }

    /// Removes a schedule. A run that has begun goes on.
    /// - Throws: ``HomeError`` `unknownSchedule`, `ledger`.
    public func removeSchedule(_ schedule: ScheduleID) async throws(HomeError) {
        let control = try await openedControl()
        let isRemoved: Bool
        do {
            isRemoved = try await control.schedules.remove(schedule, of: controller, in: id)
        } catch {
            throw HomeError(error)
        }
        guard isRemoved else {
            throw HomeError(
                .unknownSchedule, "the ledger has no schedule \(schedule) of \(controller) in \(id)"
            )
        }
    }

    /// Runs the schedules of this controller in the home until the task is cancelled.
    ///
    /// A run that cannot start within ``Schedule/longestDelay`` is missed and never runs late. Where
    /// several processes do this on one ledger, each run takes place once.
    /// - Parameter report: is told what became of each run, and when the ledger fails.
    /// - Throws: ``HomeError`` `ledger`, `notRunning`.
    public func runSchedules(
        _ report: @escaping @Sendable (Result<ScheduleNotice, HomeError>) -> Void
    ) async throws(HomeError) {
        try await runSchedules(clock: MachineClock(), calendar: .system, report)
    }

    /// As ``runSchedules(_:)``, by other clocks.
    package func runSchedules(
        clock: any CommandClock, calendar: LocalCalendar,
        _ report: @escaping @Sendable (Result<ScheduleNotice, HomeError>) -> Void
    ) async throws(HomeError) {
        let control = try await openedControl()
        let runner = ScheduleRunner(
            repository: control.schedules, owner: (controller, id), clock: clock,
            calendar: calendar,
            start: { await self.start($0, due: $1, by: clock) },
            lookUp: { schedule, due throws(LedgerError) in
                try await self.lookUp(schedule, due: due, in: control)
            },
            report: { report($0.mapError(HomeError.init)) })
        await runner.run()
    }

    private func findRemembered(_ reference: String) async throws(HomeError) -> KnownDevice {
        let control = try await openedControl()
        let remembered = (try? await control.devices.devices(in: id)) ?? []
        live.remember(remembered)
        let matches = remembered.compactMap { live.device($0.profile.id) }
            .called(reference, id: \.id, name: \.profile?.name)
        guard matches.count == 1 else { return try await find(reference) }
        // Why it takes no commands is known of a device that is heard.
        let takesCommands = matches[0].profile?.commands.isEmpty == false
        return takesCommands ? matches[0] : (try? await find(reference)) ?? matches[0]
    }

    /// Sends the command of a run that is due.
    private func start(
        _ schedule: Schedule, due: Timestamp, by clock: any CommandClock
    ) async -> ScheduleNotice.Content? {
        do throws(HomeError) {
            let known = try await receiver(schedule.command.device)
            let rest = Schedule.longestDelay - clock.now.wall.since(due)
            guard rest > .zero else {
                return .missed("\(known.id) was not found within \(Schedule.longestDelay.text)")
            }
            let options = CommandOptions(lifetime: rest, cause: schedule.cause(of: due))
            let receipt = try await submit(
                try order(
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
        _ schedule: Schedule, due: Timestamp, in control: Control
    ) async throws(LedgerError) -> ScheduleNotice.Content? {
        let query = HistoryQuery(
            controller: controller, home: id, cause: schedule.cause(of: due), limit: 1)
        guard let record = try await control.ledger.history(query).first else {
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
