import Homeport
import Synchronization

/// How `send` follows its command to the end of the wait.
struct Following: Sendable {
    let console: Console
    /// Prints the command when the wait ends.
    let renderer: CommandRenderer
    /// What is waited for; `nil` for what is usual for the command.
    let target: WaitTarget?
    let limit: Duration?

    /// Sends a command, waits, prints it, and sees meanwhile to what earlier runs left open.
    ///
    /// Ctrl-C before the command is recorded ends the program, later the wait alone.
    func status(
        in home: Home,
        ofSending send: @escaping @Sendable () async throws(HomeError) -> CommandReceipt
    ) async throws(HomeError) -> VerbStatus {
        let sent = Mutex<CommandReceipt?>(nil)
        // Before anything can leave: from then on the command goes on without us.
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
        // Nobody waits for these: they leave the connection's thread to the command.
        async let chores: Void = withTaskExecutorPreference(globalConcurrentExecutor) {
            await doChores(home)
        }
        async let _ = showAcks(of: receipt, in: home)
        let end = try await receipt.outcome(target.goal, within: limit)
        if !end.isReached { console.note("the wait has ended, the command goes on") }
        console.write(renderer.lines(for: end.record))
        await chores
        return end.status
    }

    /// The command as it stands when the user does not want to wait any more.
    private func interrupted(
        _ receipt: CommandReceipt, in home: Home
    ) async throws(HomeError) -> VerbStatus {
        console.note("interrupted: the wait has ended, the command goes on")
        let latest = try await home.command(receipt.id) ?? receipt.record
        console.write(renderer.lines(for: latest))
        return WaitResult(record: latest, isReached: latest.state.isFinal).status
    }

    /// The device is remembered, and commands of earlier runs go on.
    private func doChores(_ home: Home) async {
        do throws(HomeError) {
            try await home.rememberDevices()
        } catch {
            console.note("the device was not remembered: \(error)")
        }
        await OpenCommands.takeOver(home, console)
    }

    /// The acks of the command as they come, if somebody wants to see them.
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
                + "\(record.id) and goes out with the next homeport that connects",
            communication: communication)
    }
}

extension WaitTarget {
    /// The same in the words of the library.
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
