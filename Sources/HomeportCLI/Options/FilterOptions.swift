import ArgumentParser
import Homeport

/// Which devices a verb is about.
struct FilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Devices of this kind only, such as sweeping-robot.", valueName: "kind"),
        transform: Self.deviceKind)
    var kind: DeviceKind?

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Devices that meet this condition only; may be repeated, all must be met.",
            discussion: """
                A member of the state or telemetry, one of < <= = >= > !=, and a value: \
                'batteryPercent<20', activity=cleaning. A device that has not reported the member \
                does not meet it.
                """,
            valueName: "expr"),
        transform: Self.condition)
    var conditions: [DeviceCondition] = []

    /// The same as a value.
    var filter: DeviceFilter { DeviceFilter(kind: kind, conditions: conditions) }

    /// What to say where no device passes.
    func noMatch(in home: Home) -> String {
        let unreported = filter.unreportedMember(among: home.model.allDevices)
        let remedy =
            unreported.isEmpty
            ? "; 'homeport devices' lists kinds, 'homeport show DEVICE' the members" : unreported
        return "there are no \(filter) in \(home.id)" + remedy
    }

    @Sendable
    private static func deviceKind(_ text: String) throws -> DeviceKind {
        guard !text.isEmpty else {
            throw ValidationError("write a kind, such as sweeping-robot")
        }
        return DeviceKind(rawValue: text)
    }

    @Sendable
    private static func condition(_ text: String) throws -> DeviceCondition {
        do {
            return try DeviceCondition(text)
        } catch {
            throw ValidationError(error.message)
        }
    }
}

extension DeviceFilter {
    /// What to say of a member that no device of the kind has reported, with those that may be meant: no
    /// device ever meets a condition on a mistyped one. Empty where each was reported, or there are no devices.
    func unreportedMember(among devices: [KnownDevice]) -> String {
        let devices = devices.filter(DeviceFilter(kind: kind).contains)
        let unreported = conditions.first { condition in
            devices.allSatisfy { $0.reportedValue(of: condition.member) == nil }
        }
        guard !devices.isEmpty, let unreported else { return "" }
        let names = devices.flatMap { device in
            [device.state?.members, device.telemetry?.values].compactMap(\.self).flatMap(\.keys)
        }
        return "; no device has reported a member \(unreported.member)"
            + Suggestion.question(about: unreported.member, among: names)
    }
}
