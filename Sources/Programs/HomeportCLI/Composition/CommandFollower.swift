import Basics
import Homeport
import KillPoints
import TerminalOutput

/// Follows the commands of a verb until the wait ends.
struct CommandFollower: Sendable {
    let call: Call
    /// Prints a command when its wait ends.
    let renderer: CommandRenderer
    /// What is waited for; `nil` for the default of each command's sort.
    let target: WaitTarget?
    let limit: Duration?

    /// Where it prints.
    var console: Console { call.console }

    /// Sends a command, waits for it and prints it: see ``status(in:ofSendingAll:)``.
    func status(
        in home: Home,
        ofSending send: @escaping @Sendable () async throws(HomeError) -> CommandReceipt
    ) async throws(HomeError) -> VerbStatus {
        try await status(in: home) { () throws(HomeError) in
            let receipt = try await send()
            return [receipt]
        }
    }

    /// Sends commands, waits for them and prints each when its wait ends. Meanwhile it takes over the
    /// commands that earlier runs left open.
    ///
    /// Before the commands are recorded, Ctrl-C ends the program; after that only the wait.
    func status(
        in home: Home,
        ofSendingAll send: @escaping @Sendable () async throws(HomeError) -> [CommandReceipt]
    ) async throws(HomeError) -> VerbStatus {
        let progress = Guarded<SendProgress?>(nil)
        // Set up before anything is sent: a sent command continues without this process.
        let interrupts = Interrupts(of: call)
        let ended = await interrupts.cancelling { () -> Result<VerbStatus, HomeError> in
            do throws(HomeError) {
                let receipts = try await send()
                progress.withLock { $0 = SendProgress(receipts) }
                if receipts.count == 1, let obstacle = receipts[0].obstacle {
                    // People read of it in the error.
                    if renderer.format == .json {
                        console.write(renderer.lines(for: receipts[0].record))
                    }
                    throw obstacle.queued(receipts[0], call)
                }
                return .success(
                    try await status(of: receipts, in: home) { record in
                        progress.withLock { $0?.waiting[record.id] = nil }
                    })
            } catch {
                return .failure(error)
            }
        }
        console.showProgressLine(nil)
        if let ended { return try ended.get() }
        guard let rest = progress.withLock({ $0 }) else { return .interrupted }
        return try await interrupted(rest, in: home)
    }

    private func status(
        of receipts: [CommandReceipt], in home: Home, _ ended: @Sendable (CommandRecord) -> Void
    ) async throws(HomeError) -> VerbStatus {
        // On other threads: the connection's thread is for the commands alone.
        async let background: Void = withTaskExecutorPreference(globalConcurrentExecutor) {
            await runBackgroundWork(home, receipts)
        }
        async let _ = takeOverWhatWasLeft(receipts, in: home)
        async let _ = showAcks(of: receipts, in: home)
        reportWaitingCommands(receipts.filter { !$0.isLeft }.map(\.record))
        var statuses: [VerbStatus] = []
        let isLeft = receipts.contains(where: \.isLeft)
        try await forEachEnd(of: receipts) { end in
            report(end, home.observation.traits(of: end.record.prepared.channel), isLeft)
            ended(end.record)
            statuses.append(end.status)
            guard receipts.count > 1 else { return }
            console.showProgressLine("\(statuses.count) of \(receipts.count) commands …")
        }
        console.showProgressLine(nil)
        await background
        return .summary(of: statuses)
    }

    /// Says of what waits for its device until when it does.
    private func reportWaitingCommands(_ records: [CommandRecord]) {
        let waiting = records.filter { $0.state == .queued || $0.progress.isKept }
        guard let last = waiting.max(by: { $0.intent.expiresAt < $1.intent.expiresAt }) else {
            return
        }
        let until = LocalTime.dateAndTime(last.intent.expiresAt)
        let what =
            waiting.count == 1
            ? "\(last.intent.device) \(last.intent.name.rawValue) waits"
            : "\(waiting.count) commands wait"
        let reason = waiting.count == 1 ? last.progress.message : ""
        console.progress(
            "\(what) until \(until)" + (reason.isEmpty ? "" : ": \(reason)"))
    }

    /// Waits for all at once, and hands over each as it ends.
    private func forEachEnd(
        of receipts: [CommandReceipt], _ body: (WaitResult) -> Void
    ) async throws(HomeError) {
        let failure = await withTaskGroup(of: Result<WaitResult, HomeError>.self) { group in
            for receipt in receipts { group.addTask { await end(of: receipt) } }
            var failure: HomeError?
            for await result in group {
                switch result {
                case .success(let end): body(end)
                case .failure(let error): failure = error
                }
            }
            return failure
        }
        if let failure { throw failure }
    }

    private func report(_ end: WaitResult, _ traits: ChannelTraits, _ isLeft: Bool) {
        KillPoint.beforeShowing.pass()
        console.showProgressLine(nil)
        if !end.isReached {
            console.note(end.record.afterWait(of: call, traits, isLeft: isLeft))
        }
        if let reason = end.unrecorded { console.note(unrecorded(end.record, reason)) }
        console.write(renderer.lines(for: end.record))
    }

    /// How the wait ends. Where the start time has passed without an answer, the answer is often on
    /// its way: with a short wait for it, this says what `history` says afterwards.
    private func end(of receipt: CommandReceipt) async -> Result<WaitResult, HomeError> {
        let target = target ?? .usual(for: receipt.record.intent.sort)
        let limit = limit ?? receipt.record.longestUsualWait
        do throws(HomeError) {
            let end = try await receipt.outcome(target.goal, within: limit)
            guard end.record.state == .unknown else { return .success(end) }
            let late = try await receipt.outcome(
                .certain, within: min(limit ?? Self.lateAnswer, Self.lateAnswer))
            return .success(late.isReached ? late : end)
        } catch {
            return .failure(error)
        }
    }

    /// How long an answer to a command whose time has passed is waited for.
    private static let lateAnswer = Duration.seconds(2)

    private func unrecorded(_ record: CommandRecord, _ reason: String) -> String {
        "the ledger could not record that \(record.intent.device) "
            + "\(record.intent.name.rawValue) is \(record.state.rawValue): \(reason); 'history' "
            + "shows an earlier state until a later homeport has asked the device"
    }

    /// Prints the commands that are waited for as they stand when the user interrupts the wait.
    private func interrupted(
        _ progress: SendProgress, in home: Home
    ) async throws(HomeError) -> VerbStatus {
        var statuses: [VerbStatus] = []
        for receipt in progress.waiting.values.sorted(by: { $0.id.text < $1.id.text }) {
            let latest = try await home.command(receipt.id) ?? receipt.record
            let traits = home.observation.traits(of: latest.prepared.channel)
            console.note(
                "interrupted: \(latest.afterWait(of: call, traits, isLeft: receipt.isLeft))")
            console.write(renderer.lines(for: latest))
            statuses.append(WaitResult(record: latest, isReached: latest.state.isFinal).status)
        }
        return .summary(of: statuses)
    }

    /// Remembers the devices, and takes over the commands that earlier runs left open. A server does
    /// both by itself.
    private func runBackgroundWork(_ home: Home, _ receipts: [CommandReceipt]) async {
        guard call.server == nil, !receipts.contains(where: \.isLeft) else { return }
        do throws(HomeError) {
            try await home.rememberDevices()
        } catch {
            console.note("the device was not remembered: \(error)")
        }
        await OpenCommands.takeOver(home, call)
    }

    /// Sends what was left to another process itself, where that one has ended.
    private func takeOverWhatWasLeft(_ receipts: [CommandReceipt], in home: Home) async {
        guard receipts.contains(where: \.isLeft) else { return }
        await home.commands.takeOverWhenOwnerIsGone()
    }

    /// Whether an ack tells what the line at the end does not: the end has its own line, and so has the
    /// acceptance of a short command.
    private func isNews(_ ack: CommandEvidence, _ record: CommandRecord) -> Bool {
        guard !ack.isFinal else { return false }
        let target = target ?? .usual(for: record.intent.sort)
        return record.intent.sort == .action && target != .accepted
    }

    /// Prints the acks of a single command as they arrive, where progress is shown.
    private func showAcks(of receipts: [CommandReceipt], in home: Home) async {
        guard console.showsProgress, receipts.count == 1 else { return }
        let record = receipts[0].record
        if receipts[0].isLeft { return await showStates(of: receipts[0]) }
        for await change in home.changes(of: .device(record.intent.device)) {
            guard case .device(let change) = change, case .evidence(let ack) = change.content,
                ack.id == record.id, isNews(ack, record)
            else { continue }
            console.progress("\(change.device) \(ack.reading(record.intent.name))")
        }
    }

    /// The same by the ledger, for a command that another process sends.
    private func showStates(of receipt: CommandReceipt) async {
        let target = target ?? .usual(for: receipt.record.intent.sort)
        guard receipt.record.intent.sort == .action, target != .accepted else { return }
        for await record in receipt.changes where record.state.isUnderWay {
            let percent = record.progress.percent.map { " \(JSONValue.number($0).brief) %" }
            let (device, name) = (record.intent.device, record.intent.name.rawValue)
            console.progress(
                "\(device) \(name) \(record.state.rawValue)\(percent ?? "") (id \(record.id))")
        }
    }
}

/// Which commands are still waited for.
private struct SendProgress: Sendable {
    var waiting: [CommandID: CommandReceipt]

    init(_ receipts: [CommandReceipt]) {
        waiting = Dictionary(receipts.map { ($0.id, $0) }) { first, _ in first }
    }
}

extension HomeError {
    /// Without a connection the command waits in the ledger.
    fileprivate func queued(_ receipt: CommandReceipt, _ call: Call) -> HomeError {
        let record = receipt.record
        return HomeError(
            code,
            "\(message); \(record.intent.device) \(record.intent.name.rawValue) is queued as "
                + "\(record.id): \(record.nextSender(after: call, isLeft: receipt.isLeft))",
            communication: communication)
    }
}

extension CommandRecord {
    /// How long a verb waits for a command if its user says nothing; `nil` for no limit. A device that a
    /// setting waits for may be away for a day.
    var longestUsualWait: Duration? {
        let mayTakeDays =
            (intent.offline == .desired || intent.offline == .latest)
            && intent.expiresAt > intent.issuedAt.advanced(by: CommandOptions.usualLifetime)
        return mayTakeDays ? CommandOptions.usualLifetime : nil
    }
}

extension WaitTarget {
    /// The same as a goal of the library.
    fileprivate var goal: WaitGoal {
        switch self {
        case .accepted: .accepted
        case .final: .final
        case .observed: .observed
        }
    }
}

extension WaitResult {
    /// How `send` ends.
    fileprivate var status: VerbStatus {
        switch record.state {
        case .succeeded, .accepted, .running: isReached ? .done : .undecided
        case .failed, .rejected, .cancelled, .superseded, .refused: .notDone
        case .expired: .expired
        case .sent where record.progress.isClosed: .done
        case .created, .queued, .sending, .sent, .unknown: .undecided
        }
    }
}
