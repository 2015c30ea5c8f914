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
        // Not urgent, so it runs on another thread than the connection's, which the command needs.
        async let upkeep: Void = withTaskExecutorPreference(globalConcurrentExecutor) {
            await rememberDevicesAndTakeOver(home)
        }
        async let _ = showAcks(of: receipt, in: home)
        let end = try await receipt.outcome(target.goal, within: limit)
        if !end.isReached { console.note("the wait has ended, the command goes on") }
        console.write(renderer.lines(for: end.record))
        await upkeep
        return end.status
    }

    /// Prints the command as it stands when the user interrupts the wait.
    private func interrupted(
        _ receipt: CommandReceipt, in home: Home
    ) async throws(HomeError) -> VerbStatus {
        console.note("interrupted: the wait has ended, the command goes on")
        let latest = try await home.command(receipt.id) ?? receipt.record
        console.write(renderer.lines(for: latest))
        return WaitResult(record: latest, isReached: latest.state.isFinal).status
    }

    /// Writes the device down, and takes over the commands that earlier runs left open.
    private func rememberDevicesAndTakeOver(_ home: Home) async {
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
                + "\(record.id) and goes out with the next homeport that connects",
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
