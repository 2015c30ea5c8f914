internal import DeviceControl
public import DeviceDomain
internal import HomeModel
public import Observation
public import SharedPresentation

/// One device: what it is and does, and what it can be told.
@MainActor @Observable
public final class DeviceViewModel {
    /// Names the device.
    public let id: DeviceID
    /// What came of the last thing that the user did; `nil` where there is nothing to say.
    public internal(set) var notice: CommandNotice?
    /// The forms that the user has begun, by command.
    var begun: [CommandName: CommandForm] = [:]
    @ObservationIgnored let memory: HomeMemory
    @ObservationIgnored let whenForgotten: @MainActor (DeviceID) -> Void

    init(
        _ id: DeviceID, in memory: HomeMemory,
        whenForgotten: @escaping @MainActor (DeviceID) -> Void
    ) {
        self.id = id
        self.memory = memory
        self.whenForgotten = whenForgotten
    }

    var device: DeviceMemory? { memory.devices[id] }

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

    /// What the user has said of the device.
    public var label: DeviceLabel { device?.known.label ?? DeviceLabel() }

    /// The rooms into which it can be put.
    public var rooms: [String] { memory.rooms.map(\.text) }

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
            return CommandForm(
                specification, rooms: device?.known.profile?.plan?.rooms.map(\.id))
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
}
