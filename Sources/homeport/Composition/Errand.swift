import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import MosquittoAdapter

/// One command from the command line to its end: the use case of `send`.
struct Errand: Sendable {
    /// What the user asked for.
    struct Order: Sendable {
        let device: DeviceID
        let command: CommandName
        let arguments: JSONObject
        let options: CommandOptions
        /// What is waited for; `nil` for what is usual for the command.
        let target: WaitTarget?
        let waitLimit: Duration?
    }

    let station: Station
    let ledger: Ledger
    let channel: MosquittoChannel
    let console: Console
    /// Prints the command when the wait ends.
    let renderer: CommandRenderer
    private let invoker: CommandInvoker

    init(
        _ station: Station, _ ledger: Ledger, _ channel: MosquittoChannel, _ console: Console,
        _ renderer: CommandRenderer
    ) {
        self.renderer = renderer
        self.station = station
        self.ledger = ledger
        self.channel = channel
        self.console = console
        invoker = CommandInvoker(
            controller: station.controller, ledger: ledger.commands,
            factory: CommunicationStrategyFactory(channels: [channel]))
    }

    /// Checks the command against the device's own description, sends it, waits, and prints it
    /// when the wait ends.
    /// - Parameter survey: what is retained of the device.
    /// - Throws: ``Failure`` with ``VerbStatus/wrongInput``; then nothing was recorded or sent.
    func run(_ order: Order, after survey: HomeSurvey) async throws(Failure) -> WaitResult {
        let device = try await knownDevice(order.device, by: survey)
        let command = try order.described(for: device)
        return try await running { errand throws(Failure) in
            let acks = errand.observedAcks(of: order.device)
            let record = try await errand.submit(command, order.options)
            // Now that the command may leave, Ctrl-C ends the wait and not the program.
            let interrupts = await Interrupts()
            return try await errand.follow(record, order, of: device.profile, acks, interrupts)
        }
    }

    /// Puts a command that may wait into the ledger although there is no connection; the next
    /// process of the ledger sends it.
    /// - Returns: the queued command; `nil` if it cannot be queued.
    func queue(_ order: Order) async throws(Failure) -> CommandRecord? {
        guard let profile = try await ledger.profile(of: order.device, in: station.home),
            let specification = profile.specification(of: order.command),
            specification.offline != .failFast
        else { return nil }
        let command = try order.described(for: GenericDevice(profile: profile))
        var options = order.options
        if options.lifetime == nil, case .expire(let time) = specification.offline {
            options.lifetime = time
        }
        let chosen = options
        return try await running { errand throws(Failure) in
            try await errand.submit(command, chosen)
        }
    }

    /// Runs the invoker beside `body`.
    private func running<Value: Sendable>(
        _ body: @Sendable (Errand) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await invoker.whileRunning {
            do throws(Failure) {
                return .success(try await body(self))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The device from what it retains, else from the ledger.
    private func knownDevice(
        _ id: DeviceID, by survey: HomeSurvey
    ) async throws(Failure) -> any Device {
        // What the device says of itself is enough: a command needs no type of the house.
        let found = survey.device(id, made: DeviceFactory([]))
        if let found, survey.devices[id]?.description != nil { return found }
        if let profile = try await ledger.profile(of: id, in: station.home) {
            return GenericDevice(profile: profile, report: found?.report ?? DeviceReport())
        }
        guard let found else {
            throw .unknownDevice(id, in: station.home, isSure: survey.isComplete)
        }
        return found
    }

    private func submit(
        _ command: DescribedCommand, _ options: CommandOptions
    ) async throws(Failure) -> CommandRecord {
        do {
            return try await invoker.submit(command, options: options)
        } catch {
            throw Failure(error)
        }
    }

    /// Waits, and sees to what the device and dead processes left meanwhile.
    private func follow(
        _ record: CommandRecord, _ order: Order, of device: DeviceProfile,
        _ acks: ObservationStream?, _ interrupts: Interrupts
    ) async throws(Failure) -> WaitResult {
        let target = order.target ?? .usual(for: record.intent.sort)
        // Nobody waits for the chores: they leave the connection's thread to the command.
        async let chores: Void = withTaskExecutorPreference(globalConcurrentExecutor) {
            await doChores(device)
        }
        async let _ = tell(acks, of: record.id)
        let result = await interrupts.cancelling { [invoker] () -> Result<WaitResult, Failure> in
            do throws(ControlError) {
                return .success(
                    try await invoker.outcome(
                        of: record.id, goal: target.goal, within: order.waitLimit))
            } catch {
                return .failure(Failure(error))
            }
        }
        guard let result else { return try await interrupted(record) }
        let end = try result.get()
        if !end.isReached { console.note("the wait has ended, the command goes on") }
        console.write(renderer.lines(for: end.record))
        await chores
        return end
    }

    /// The command as it stands when the user does not want to wait any more.
    private func interrupted(_ record: CommandRecord) async throws(Failure) -> WaitResult {
        console.note("interrupted: the wait has ended, the command goes on")
        let latest = try await ledger.record(of: record.id) ?? record
        let end = WaitResult(record: latest, isReached: latest.state.isFinal)
        console.write(renderer.lines(for: end.record))
        return end
    }

    /// What nobody waits for: dead processes' commands go on, the device is remembered.
    private func doChores(_ device: DeviceProfile) async {
        do throws(Failure) {
            try await ledger.remember(device)
        } catch {
            console.note("the device was not remembered: \(error)")
        }
        await Resumption(invoker: invoker, home: station.home, console: console).run()
    }

    // MARK: Progress

    /// The device's messages, if somebody wants to see them.
    private func observedAcks(of device: DeviceID) -> ObservationStream? {
        console.showsProgress ? channel.observe(station.home, devices: [device]) : nil
    }

    private func tell(_ observations: ObservationStream?, of id: CommandID) async {
        guard let observations else { return }
        for await observation in observations {
            guard case .message(let message) = observation, case .ack(let ack) = message.content,
                ack.id == id
            else { continue }
            console.progress("\(message.device) \(ack.reading)")
        }
    }
}

extension Errand.Order {
    /// The command, checked by the device's own description.
    fileprivate func described(for device: any Device) throws(Failure) -> DescribedCommand {
        guard !device.profile.commands.isEmpty else {
            throw Failure(
                .wrongInput,
                "\(device.id) has not said which commands it takes; see 'homeport show \(device.id)'"
            )
        }
        do {
            return try DescribedCommand(command, arguments: arguments, for: device)
        } catch {
            throw Failure(.wrongInput, "\(device.id): \(error)")
        }
    }
}

extension WaitTarget {
    /// The same in the words of the invoker.
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
    var status: VerbStatus {
        switch record.state {
        case .succeeded, .accepted, .running: isReached ? .done : .undecided
        case .failed, .rejected, .cancelled, .superseded, .refused: .notDone
        case .expired: .expired
        case .created, .queued, .sending, .sent, .unknown: .undecided
        }
    }
}

extension Failure {
    /// The command could not be tried.
    init(_ error: ControlError) {
        switch error.code {
        case .badLifetime: self.init(.usage, error.message)
        case .tooLarge: self.init(.wrongInput, error.message)
        default: self.init(.internalError, error.message)
        }
    }
}
