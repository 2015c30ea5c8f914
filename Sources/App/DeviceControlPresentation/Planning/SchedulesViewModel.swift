public import DeviceControl
public import DeviceDomain
internal import HomeModel
public import Observation
public import SharedPresentation

/// Commands that are due at certain times.
@MainActor @Observable
public final class SchedulesViewModel {
    /// A schedule in the list.
    public struct Entry: Hashable, Sendable, Identifiable {
        /// The schedule.
        public let schedule: Schedule
        /// What its device is called.
        public let deviceName: String
        /// When it is due next (wire clock); `nil` for never.
        public let next: Timestamp?
        /// The rooms of its device; `nil` where it has described none.
        public let rooms: RoomPlan?

        public var id: ScheduleID { schedule.id }
    }

    /// A device, and which of its commands can be scheduled.
    public struct Choice: Hashable, Sendable, Identifiable {
        /// Names the device.
        public let id: DeviceID
        /// What it is called.
        public let name: String
        /// The commands, in the order in which the device declares them.
        public let commands: [CommandName]
    }

    /// A schedule that the user is making, or changing.
    public struct Draft: Hashable, Sendable {
        /// The schedule that is changed; `nil` for one that is made.
        public let schedule: ScheduleID?
        /// The device.
        public let device: DeviceID
        /// What it is called.
        public let deviceName: String
        /// The rooms of the device; `nil` where it has described none.
        public let rooms: RoomPlan?
        /// The command with what was entered.
        public var form: CommandForm
        /// The time of day as it was entered, such as `08:30`.
        public var time = ""
        /// The date as it was entered, such as `2026-12-24`; empty for every week.
        public var date = ""
        /// The days of every week; none means all of them, and `nil` that something was chosen that is no day.
        public var days: Set<Weekday>? = []
        /// What is wrong with it; `nil` for nothing.
        public internal(set) var problem: Problem?
    }

    /// What is wrong with a draft, beside what its form says.
    public enum Problem: Hashable, Sendable {
        /// The time is none.
        case time
        /// The date is none.
        case date
        /// Something among the days is none.
        case days
        /// There are a date and days of every week.
        case dateAndDays
        /// It was not taken.
        case refused(Failure)
    }

    /// What the screen shows.
    public private(set) var state = ScreenState<[Entry]>.loading
    /// The schedule that the user is making; `nil` for none.
    public var draft: Draft?
    /// Why a schedule was not removed, paused or resumed; `nil` where there is nothing to say.
    public private(set) var failure: Failure?
    @ObservationIgnored private let services: DeviceControlServices

    init(_ services: DeviceControlServices) { self.services = services }

    private var memory: HomeMemory { services.memory }

    /// The screen has appeared: schedules are read.
    public func appeared() async { await read() }

    private func read() async {
        do throws(Failure) {
            let schedules = try await memory.service.schedules()
            let now = services.clock.now.wall
            let entries = schedules.map { schedule in
                let device = schedule.command.device
                return Entry(
                    schedule: schedule,
                    deviceName: memory.devices[device]?.name ?? device.text,
                    next: schedule.next(after: now, in: services.calendar),
                    rooms: memory.devices[device]?.known.profile?.plan)
            }
            state = entries.isEmpty ? .empty : .content(entries)
        } catch {
            state = .failed(error)
        }
    }

    /// What can be scheduled: everything but what acts at once on what a device does now.
    public var choices: [Choice] {
        memory.allDevices.map { device in
            let commands = (device.known.profile?.commands ?? []).filter { $0.sort != .instant }
            return Choice(id: device.id, name: device.name, commands: commands.map(\.name))
        }
        .filter { !$0.commands.isEmpty }
    }

    /// A command is to be scheduled; a command that the device does not have is ignored.
    public func addButtonTapped(_ command: CommandName, of device: DeviceID) {
        guard let found = memory.devices[device],
            let specification = found.known.profile?.specification(of: command)
        else { return }
        let rooms = found.known.profile?.plan
        draft = Draft(
            schedule: nil, device: device, deviceName: found.name, rooms: rooms,
            form: CommandForm(specification, rooms: rooms?.rooms.map(\.id)))
    }

    /// A schedule is to be changed; one whose device is not known here is ignored.
    public func editButtonTapped(_ id: ScheduleID) {
        guard let schedule = state.content?.first(where: { $0.id == id })?.schedule else { return }
        addButtonTapped(schedule.command.name, of: schedule.command.device)
        guard let new = draft else { return }
        var draft = Draft(
            schedule: id, device: new.device, deviceName: new.deviceName, rooms: new.rooms,
            form: new.form)
        draft.form.fill(with: schedule.command.arguments)
        draft.time = "\(schedule.rule.time)"
        switch schedule.rule {
        case .weekly(_, let days): draft.days = days
        case .once(_, let date): draft.date = "\(date)"
        }
        self.draft = draft
    }

    /// The draft is to be kept.
    public func saveButtonTapped() async {
        guard var draft else { return }
        draft.problem = nil
        let arguments = draft.form.arguments()
        do throws(Draft.Mistake) {
            let rule = try draft.rule()
            guard let arguments else { throw Draft.Mistake(problem: nil) }
            try await keep(draft, arguments, at: rule)
            self.draft = nil
            await read()
        } catch {
            draft.problem = error.problem
            self.draft = draft
        }
    }

    private func keep(
        _ draft: Draft, _ arguments: JSONObject, at rule: ScheduleRule
    ) async throws(Draft.Mistake) {
        let service = memory.service
        do {
            guard let schedule = draft.schedule else {
                return try await service.addSchedule(
                    ScheduledCommand(
                        device: draft.device, name: draft.form.specification.name,
                        arguments: arguments), at: rule)
            }
            try await service.changeSchedule(schedule, arguments, at: rule)
        } catch {
            throw Draft.Mistake(problem: .refused(error))
        }
    }

    /// The draft is to be thrown away.
    public func cancelButtonTapped() { draft = nil }

    /// A schedule is to be removed.
    public func removeButtonTapped(_ schedule: ScheduleID) async {
        await attempt { () async throws(Failure) in
            try await memory.service.removeSchedule(schedule)
        }
    }

    /// A schedule is to pause.
    public func pauseButtonTapped(_ schedule: ScheduleID) async {
        await attempt { () async throws(Failure) in
            try await memory.service.pauseSchedule(schedule, true)
        }
    }

    /// A schedule that is paused is to go on.
    public func resumeButtonTapped(_ schedule: ScheduleID) async {
        await attempt { () async throws(Failure) in
            try await memory.service.pauseSchedule(schedule, false)
        }
    }

    private func attempt(_ body: () async throws(Failure) -> Void) async {
        do {
            try await body()
            failure = nil
        } catch {
            failure = error
        }
        await read()
    }
}

extension SchedulesViewModel.Draft {
    /// Why a draft cannot be kept; without a problem of its own where the form says it.
    struct Mistake: Error {
        let problem: SchedulesViewModel.Problem?
    }

    /// When it is due.
    func rule() throws(Mistake) -> ScheduleRule {
        guard let time = TimeOfDay(time) else { throw Mistake(problem: .time) }
        guard let days else { throw Mistake(problem: .days) }
        guard !date.isEmpty else {
            return .weekly(time, on: days.isEmpty ? Set(Weekday.allCases) : days)
        }
        guard let date = CalendarDate(date) else { throw Mistake(problem: .date) }
        guard days.isEmpty else { throw Mistake(problem: .dateAndDays) }
        return .once(time, on: date)
    }
}
