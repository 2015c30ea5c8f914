import ArgumentParser
import Homeport

/// Which devices a rule is about.
struct RuleScopeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The device that it is about: its id or name.", valueName: "device"),
        completion: .devices)
    var device: String?

    @Option(
        help: ArgumentHelp("The devices of this kind, such as sweeping-robot.", valueName: "kind"),
        completion: .kinds, transform: Parsing.kind)
    var kind: DeviceKind?

    @Option(
        help: ArgumentHelp("The devices in this room, as 'room list' names it.", valueName: "room"),
        completion: .rooms, transform: Parsing.givenName)
    var room: GivenName?

    /// The same as a value.
    var scope: RuleDraft.Scope {
        if let device { return .device(device) }
        if let kind { return .kind(kind) }
        return room.map(RuleDraft.Scope.room) ?? .everyDevice
    }

    func validate() throws {
        let given = [device != nil, kind != nil, room != nil].count(where: \.self)
        guard given < 2 else {
            throw ValidationError(
                "--device, --kind and --room select the devices: give one of them")
        }
    }
}
