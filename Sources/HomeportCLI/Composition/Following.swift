import Homeport
import Synchronization

/// Follows a command of `send` until the wait ends.
struct Following: Sendable {
    let console: Console
    /// Prints the command when the wait ends.
    let renderer: CommandRenderer
    /// What is waited for; `nil` for the default of the command's sort.
    let target: WaitTarget?
    let limit: Duration?

    /// Sends a command, waits for it and prints it. Meanwhile it takes over the commands that earlier
    /// runs left open.
    ///
    /// Before the command is recorded, Ctrl-C ends the program; after that only the wait.
    func status(
        in home: Home,
        ofSending send: @escaping @Sendable () async throws(HomeError) -> CommandReceipt
    ) async throws(HomeError) -> VerbStatus {
        let sent = Mutex<CommandReceipt?>(nil)
        // Set up before anything is sent: a sent command goes on without this process.
        let interrupts = Interrupts()
        let ended = await interrupts.cancelling { () -> Result<VerbStatus, HomeError> in
            do throws(HomeError) {
                let receipt = try await send()
                sent.withLock { $0 = receipt }
                if let obstacle = receipt.obstacle { throw obstacle.queued(receipt.record) }
                return .success(try await status(of: receipt, in: home))
            } catch {
                return .failure(error)
            }
        }
        if let ended { return try ended.get() }
        guard let receipt = sent.withLock({ $0 }) else { Interrupts.endProgram() }
        return try await interrupted(receipt, in: home)
    }

    private func status(
        of receipt: CommandReceipt, in home: Home
    ) async throws(HomeError) -> VerbStatus {
        let target = target ?? .usual(for: receipt.record.intent.sort)
        // On other threads: the connection's thread is for the command alone.
        async let background: Void = withTaskExecutorPreference(globalConcurrentExecutor) {
            await runBackgroundWork(home)
        }
        async let _ = showAcks(of: receipt, in: home)
        let end = try await end(of: receipt, target)
        if !end.isReached { console.note(end.record.afterWait) }
        if let reason = end.unrecorded { console.note(unrecorded(end.record, reason)) }
        console.write(renderer.lines(for: end.record))
        await background
        return end.status
    }

    /// How the wait ends. Where the start time has passed without an answer, the answer is often on
    /// its way: with a short wait for it, this says what `history` says afterwards.
    private func end(
        of receipt: CommandReceipt, _ target: WaitTarget
    ) async throws(HomeError) -> WaitResult {
        let end = try await receipt.outcome(target.goal, within: limit)
        guard end.record.state == .unknown else { return end }
        let late = try await receipt.outcome(
            .certain, within: min(limit ?? Self.lateAnswer, Self.lateAnswer))
        return late.isReached ? late : end
    }

    /// How long an answer to a command whose time has passed is waited for.
    private static let lateAnswer = Duration.seconds(2)

    private func unrecorded(_ record: CommandRecord, _ reason: String) -> String {
        "the ledger could not record that \(record.intent.device) "
            + "\(record.intent.name.rawValue) is \(record.state.rawValue): \(reason); 'history' "
            + "shows an earlier state until a later homeport has asked the device"
    }

    /// Prints the command as it stands when the user interrupts the wait.
    private func interrupted(
        _ receipt: CommandReceipt, in home: Home
    ) async throws(HomeError) -> VerbStatus {
        let latest = try await home.command(receipt.id) ?? receipt.record
        console.note("interrupted: \(latest.afterWait)")
        console.write(renderer.lines(for: latest))
        return WaitResult(record: latest, isReached: latest.state.isFinal).status
    }

    /// Remembers the device, and takes over the commands that earlier runs left open.
    private func runBackgroundWork(_ home: Home) async {
        do throws(HomeError) {
            try await home.rememberDevices()
        } catch {
            console.note("the device was not remembered: \(error)")
        }
        await OpenCommands.takeOver(home, console)
    }

    /// Prints the acks of the command as they arrive, where progress is shown.
    private func showAcks(of receipt: CommandReceipt, in home: Home) async {
        guard console.showsProgress else { return }
        for await change in home.changes(of: .device(receipt.record.intent.device)) {
            guard case .device(let change) = change, case .evidence(let ack) = change.content,
                ack.id == receipt.id
            else { continue }
            console.progress("\(change.device) \(ack.reading(receipt.record.intent.name))")
        }
    }
}

extension HomeError {
    /// Without a connection the command waits in the ledger.
    fileprivate func queued(_ record: CommandRecord) -> HomeError {
        HomeError(
            code,
            "\(message); \(record.intent.device) \(record.intent.name.rawValue) is queued as "
                + "\(record.id): \(record.nextSender)",
            communication: communication)
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
        case .created, .queued, .sending, .sent, .unknown: .undecided
        }
    }
}
