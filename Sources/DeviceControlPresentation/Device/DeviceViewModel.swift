internal import DeviceControl
public import DeviceDomain
public import DeviceMessages
internal import HomeModel
public import Observation
public import SharedPresentation

/// One device: what it is and does, and what it can be told.
@MainActor @Observable
public final class DeviceViewModel {
    /// What came of the last thing that the user did.
    public enum Notice: Hashable, Sendable {
        /// It could not be done.
        case failed(Failure)
        /// The command waits, and why.
        case waits(Failure)
        /// A command was not taken back, and why.
        case notCancelled(String)
    }

    /// Names the device.
    public let id: DeviceID
    /// What came of the last thing that the user did; `nil` where there is nothing to say.
    public private(set) var notice: Notice?
    /// The forms that the user has begun, by command.
    private var begun: [CommandName: CommandForm] = [:]
    @ObservationIgnored private let memory: HomeMemory
    @ObservationIgnored private let whenForgotten: @MainActor (DeviceID) -> Void

    init(
        _ id: DeviceID, in memory: HomeMemory,
        whenForgotten: @escaping @MainActor (DeviceID) -> Void
    ) {
        self.id = id
        self.memory = memory
        self.whenForgotten = whenForgotten
    }

    private var device: DeviceMemory? { memory.devices[id] }

    /// What the screen shows; empty for a device of which nothing is known.
    public var state: ScreenState<DeviceContent> {
        if let device { return .content(DeviceContent(device)) }
        if let failure = memory.storageFailure { return .failed(failure) }
        return memory.isRecalled ? .empty : .loading
    }

    /// Where the device is and has been; `nil` for one that does not move.
    public var plan: FloorPlan? {
        for case .motion(let plan) in state.content?.sections ?? [] { return plan }
        return nil
    }

    /// A form for every command that people give, what they want most first.
    public var forms: [CommandForm] {
        (device?.known.profile?.commands ?? [])
            .filter { !Self.hidden.contains($0.name) }
            .sorted { Self.rank($0) < Self.rank($1) }
            .map { form(for: $0) }
    }

    /// The form of one command; `nil` where the device does not have it.
    public func form(_ name: CommandName) -> CommandForm? {
        device?.known.profile?.specification(of: name).map { form(for: $0) }
    }

    /// What was begun is void once the device declares the command otherwise.
    private func form(for specification: CommandSpecification) -> CommandForm {
        guard let form = begun[specification.name], form.specification == specification else {
            return CommandForm(specification)
        }
        return form
    }

    /// Commands by which controllers ask about other commands: what they do, the app does by itself.
    private static let hidden: Set<CommandName> = [.queryCommands, .cancelCommand, .commitClaim]

    /// Actions come first, then what acts on them, then settings.
    private static func rank(_ command: CommandSpecification) -> (Int, String) {
        let sort =
            switch command.sort {
            case .action: 0
            case .instant: command.name == .identify ? 3 : 1
            case .setting: 2
            }
        return (sort, command.name.rawValue)
    }

    // MARK: What the user does

    /// The screen has appeared: its commands are read.
    public func appeared() async { await memory.readCommands(of: id) }

    /// Something was entered into a field of a command.
    public func fieldChanged(_ field: String, of command: CommandName, to text: String) {
        guard var form = form(command) else { return }
        form.fieldChanged(field, to: text)
        begun[command] = form
    }

    /// A command is to be sent with what was entered into its form.
    public func sendButtonTapped(_ command: CommandName) async {
        guard var form = form(command) else {
            notice = .failed(
                Failure("\(id) has no command \(command.rawValue)", .lookAgain))
            return
        }
        guard let arguments = form.arguments() else {
            begun[command] = form
            return
        }
        begun[command] = form
        if await send(form.specification, arguments) { begun[command] = nil }
    }

    /// The robot is to clean everything.
    public func cleanButtonTapped() async { await send(.startCleaning, [:]) }

    /// The robot is to clean these rooms.
    public func cleanButtonTapped(rooms: [Int]) async {
        let numbers = rooms.map { JSONValue.number(Double($0)) }
        await send(.startCleaning, ["rooms": .array(numbers)])
    }

    /// The device is to stop what it does.
    public func stopButtonTapped() async { await send(.stop, [:]) }

    /// The device is to pause.
    public func pauseButtonTapped() async { await send(.pause, [:]) }

    /// The device is to go on.
    public func resumeButtonTapped() async { await send(.resume, [:]) }

    /// The robot is to drive to its dock.
    public func dockButtonTapped() async { await send(.returnToDock, [:]) }

    /// The last command is to be undone.
    public func undoButtonTapped() async {
        await attempt { () async throws(Failure) in try await memory.service.undo(id) }
    }

    /// What was undone is to be done again.
    public func redoButtonTapped() async {
        await attempt { () async throws(Failure) in try await memory.service.redo(id) }
    }

    /// A command is to be taken back.
    public func cancelButtonTapped(_ command: CommandID) async {
        do throws(Failure) {
            let (record, reason) = try await memory.service.cancel(command)
            memory.show(record)
            notice = reason.map(Notice.notCancelled)
            await memory.readOpenCommands()
        } catch {
            notice = .failed(error)
        }
    }

    /// The device is to be forgotten.
    public func forgetButtonTapped() async {
        do throws(Failure) {
            try await memory.forget(id)
            whenForgotten(id)
        } catch {
            notice = .failed(error)
        }
    }

    /// The user has read the notice.
    public func noticeDismissed() { notice = nil }

    // MARK: Sending

    private func send(_ name: CommandName, _ arguments: JSONObject) async {
        guard let specification = device?.known.profile?.specification(of: name) else {
            notice = .failed(Failure("\(id) has no command \(name.rawValue)", .lookAgain))
            return
        }
        _ = await send(specification, arguments)
    }

    private func send(
        _ specification: CommandSpecification, _ arguments: JSONObject
    ) async -> Bool {
        let options = CommandOptions(
            ifRevision: specification.needsIfRevision ? device?.revision : nil)
        return await attempt { () async throws(Failure) in
            try await memory.service.send(
                specification.name, arguments, to: id, options: options)
        }
    }

    /// Sends something, and follows it.
    /// - Returns: whether it was sent.
    @discardableResult
    private func attempt(_ send: () async throws(Failure) -> SentCommand) async -> Bool {
        do throws(Failure) {
            let sent = try await send()
            notice = sent.obstacle.map(Notice.waits)
            memory.follow(sent)
            return true
        } catch {
            notice = .failed(error)
            return false
        }
    }
}
