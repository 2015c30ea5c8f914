internal import Connectivity
public import DeviceDomain
internal import HomeModel
internal import SharedPresentation

/// Why a command would do nothing now, by what its device says of itself. It can be sent all the same: the
/// device has the last word.
public enum CommandHindrance: Hashable, Sendable {
    /// The robot is in its dock.
    case docked
    /// The robot is on its way to the dock.
    case returning
    /// Nothing is paused.
    case nothingPaused
    /// Nothing runs that could be paused.
    case nothingRuns
    /// The device has a fault; this is its code.
    case fault(String)
}

extension DeviceViewModel {
    /// Why a command would do nothing now; `nil` where nothing is known against it.
    public func hindrance(of command: CommandSpecification) -> CommandHindrance? {
        let state = device?.known.state?.members ?? [:]
        guard let activity = state[.activity]?.string else { return nil }
        if command.sort == .action, activity == "error", let code = state[.error]?.string {
            return .fault(code)
        }
        switch (command.name, activity) {
        case (.returnToDock, "docked"): return .docked
        case (.returnToDock, "returning"): return .returning
        case (.resume, "docked"), (.resume, "idle"), (.resume, "cleaning"), (.resume, "moving"),
            (.resume, "returning"), (.resume, "surfacing"), (.resume, "error"):
            return .nothingPaused
        case (.pause, "docked"), (.pause, "idle"), (.pause, "paused"), (.pause, "error"):
            return .nothingRuns
        default: return nil
        }
    }

    /// The command that a person most likely wants now; `nil` where none stands out.
    public var likeliest: CommandName? { device?.summary.fitting.first?.name }
}
