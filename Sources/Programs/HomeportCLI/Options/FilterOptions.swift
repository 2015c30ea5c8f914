import ArgumentParser
import Homeport

/// Which devices a verb is about.
struct FilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Devices of this kind only, such as sweeping-robot; one that no known device has is refused.",
            valueName: "kind"),
        completion: .kinds, transform: Parsing.kind)
    var kind: DeviceKind?

    @Option(
        help: ArgumentHelp(
            "Devices in this room only, as 'room list' names it.", valueName: "room"),
        completion: .rooms, transform: Parsing.givenName)
    var room: GivenName?

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Devices that meet this condition only; may be repeated, all must be met.",
            discussion: """
                A member of the state or telemetry, one of < <= = >= > !=, and a value: \
                'batteryPercent<20', activity=cleaning. A device that has not reported the member \
                does not meet it; a member that no device reports is refused.
                """,
            valueName: "expr"),
        completion: .members, transform: Parsing.condition)
    var conditions: [DeviceCondition] = []

    /// The same as a value.
    var filter: DeviceFilter {
        var filter = DeviceFilter(kind: kind, conditions: conditions)
        filter.room = room
        return filter
    }

    /// What to say where no device passes.
    func noMatch(in home: Home) -> String {
        "there are no \(filter) in \(home.id)\(filter.doubt(in: home)); 'homeport devices' lists kinds, "
            + "'homeport show DEVICE' the members"
    }
}

extension DeviceFilter {
    /// Why no device may ever pass, as an addition in brackets; empty where nothing speaks for that.
    func doubt(in home: Home) -> String {
        doubt(among: home.model.allDevices).map { " (\($0))" } ?? ""
    }
}
