internal import Connectivity
public import DeviceDomain
internal import HomeModel

/// A command that a person most likely wants of a device as it stands now.
public struct FittingCommand: Hashable, Sendable {
    /// The command.
    public let name: CommandName
    /// Whether something must be entered before it can be sent.
    public let needsEntry: Bool
    /// What it sets, as it stands now, in percent; `nil` for one that sets no percentage.
    public let percent: Double?

    /// The one or two commands that fit the state of a device; none for one that cannot be reached, and for one
    /// that is broken.
    static func all(for device: KnownDevice) -> [FittingCommand] {
        guard DevicePresence(device) == .online, let profile = device.profile else { return [] }
        return names(device).compactMap { name in
            guard let command = profile.specification(of: name) else { return nil }
            let percent = name == .setReserve ? device.state?.members[.reservePercent]?.number : nil
            return FittingCommand(
                name: name, needsEntry: command.arguments?.required.isEmpty == false,
                percent: percent)
        }
        .prefix(2).map(\.self)
    }

    private static func names(_ device: KnownDevice) -> [CommandName] {
        let (begin, end): ([CommandName], [CommandName]) = (
            [.startCleaning, .startProgram], [.returnToDock, .surface]
        )
        return switch device.state?.members[.activity]?.string {
        case "cleaning", "moving": [.pause] + end
        case "returning", "surfacing": [.pause]
        case "paused": [.resume] + end
        case "docked": begin
        case "error": []
        case nil: begin + [.setReserve]
        default: begin + end
        }
    }
}
