internal import DeviceControl
internal import DeviceDomain

/// Runs the schedules of a home until its task is cancelled. Any number may run side by side, also in
/// other processes: a run belongs to whoever takes it first in the ledger.
struct ScheduleRunner: Sendable {
    /// How long it sleeps at most: another process may add a schedule, and the wall clock may be set.
    static let longestPause = Duration.seconds(5)
    /// How long after its time a run is still in the hands of the process that took it. Such a process
    /// has reported by then, or it has died.
    static let longestRun = Duration.seconds(60)

    let repository: any ScheduleRepository
    let owner: (controller: ControllerID, home: HomeID)
    let clock: any CommandClock
    let calendar: LocalCalendar
    /// Sends the command of a run that is due; `nil` where the caller was cancelled meanwhile.
    let start: @Sendable (Schedule, Timestamp) async -> ScheduleNotice.Content?
    /// What became of a run that a dead process took.
    let lookUp: @Sendable (Schedule, Timestamp) async throws(LedgerError) -> ScheduleNotice.Content?
    let report: @Sendable (Result<ScheduleNotice, LedgerError>) -> Void

    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let pause: Duration
                do throws(LedgerError) {
                    pause = try await look { schedule, due in
                        group.addTask { await run(schedule, due) }
                    }
                } catch {
                    report(.failure(error))
                    pause = Self.longestPause
                }
                await clock.sleep(for: pause)
            }
        }
    }

    /// Decides what is to be decided about each schedule.
    /// - Returns: how long there is nothing to do.
    private func look(
        begin: (Schedule, Timestamp) -> Void
    ) async throws(LedgerError) -> Duration {
        var pause = Self.longestPause
        for schedule in try await repository.schedules(of: owner.controller, in: owner.home) {
            let now = clock.now.wall
            let outlook = schedule.outlook(at: now, in: calendar)
            try await reportMissed(outlook.missed, of: schedule)
            if let taken = schedule.history.taken, now.since(taken) > Self.longestRun {
                try await conclude(schedule, taken)
            }
            if let due = outlook.due, try await repository.take(due, of: schedule.id) {
                begin(schedule, due)
            }
            if let next = outlook.next { pause = min(pause, next.since(clock.now.wall)) }
        }
        return max(pause, .milliseconds(1))
    }

    private func reportMissed(
        _ missed: [Timestamp], of schedule: Schedule
    ) async throws(LedgerError) {
        guard let last = missed.last, try await repository.miss(last, of: schedule.id) else {
            return
        }
        let reason = "no server ran at that time"
        for due in missed {
            report(
                .success(
                    ScheduleNotice(schedule: schedule, due: due, content: .missed(reason))))
        }
    }

    private func run(_ schedule: Schedule, _ due: Timestamp) async {
        // Without an answer the run stays taken, and a later server finds its command in the ledger.
        guard let content = await start(schedule, due) else { return }
        do throws(LedgerError) {
            try await write(content, schedule, due)
        } catch {
            report(.failure(error))
        }
    }

    private func conclude(_ schedule: Schedule, _ due: Timestamp) async throws(LedgerError) {
        guard let content = try await lookUp(schedule, due) else { return }
        try await write(content, schedule, due)
    }

    private func write(
        _ content: ScheduleNotice.Content, _ schedule: Schedule, _ due: Timestamp
    ) async throws(LedgerError) {
        let notice = ScheduleNotice(schedule: schedule, due: due, content: content)
        try await repository.report(notice.run, due: due, of: schedule.id)
        report(.success(notice))
    }
}
