public import DeviceDomain
public import HomeModel

/// Which devices of a home somebody is interested in: those of a kind, those in a room, and those whose latest
/// report meets every condition.
public struct DeviceFilter: Hashable, Sendable, CustomStringConvertible {
    /// The kind of the devices; `nil` for any.
    public var kind: DeviceKind?
    /// The room of the devices, as the user has named it; `nil` for any, and for devices in none.
    public var room: GivenName?
    /// What a device must have reported; it must meet all of them.
    public var conditions: [DeviceCondition]

    /// A filter; without arguments every device passes it.
    public init(kind: DeviceKind? = nil, conditions: [DeviceCondition] = []) {
        self.kind = kind
        self.conditions = conditions
    }

    /// Whether every device passes.
    public var isEmpty: Bool { kind == nil && room == nil && conditions.isEmpty }

    /// Whether a device passes, by what is known of it.
    public func contains(_ device: KnownDevice) -> Bool {
        isSelected(device) && conditions.allSatisfy { $0.isMet(by: device) }
    }

    /// Whether a device may pass once its first sample of telemetry has come: a condition names a
    /// member that the device has not reported and that may be in its telemetry, and all others are
    /// met.
    ///
    /// Telemetry is not retained, so a program that has just connected has none.
    public func needsTelemetry(of device: KnownDevice) -> Bool {
        guard device.telemetry == nil, isSelected(device) else { return false }
        let telemetry = device.profile?.telemetryMembers
        let open = conditions.filter { device.reportedValue(of: $0.member) == nil }
        return !open.isEmpty
            && open.allSatisfy { telemetry?.contains($0.member) != false }
            && conditions.allSatisfy { open.contains($0) || $0.isMet(by: device) }
    }

    /// As in "devices of kind sweeping-robot in the room Kitchen with batteryPercent<20".
    public var description: String {
        let met = conditions.map(\.description).joined(separator: " and ")
        return "devices\(selection)" + (met.isEmpty ? "" : " with \(met)")
    }

    /// As in " of kind sweeping-robot in the room Kitchen".
    private var selection: String {
        (kind.map { " of kind \($0.rawValue)" } ?? "") + (room.map { " in the room \($0)" } ?? "")
    }

    /// Checks that every condition is on a member that one of the devices reports, as far as is known: a
    /// condition on a mistyped one is never met. Of a device that has not reported a state yet, or whose
    /// channel is down, nobody knows that, unless its description tells.
    /// - Parameter devices: the selection; those of another kind or room do not count. Without any there is
    ///   nothing to check.
    /// - Throws: ``HomeError`` `unknownMember`, with the members that may be meant, or with what the member is
    ///   where it cannot be compared with the value.
    package func requireReportedMembers(among devices: [KnownDevice]) throws(HomeError) {
        let selected = devices.filter(isSelected)
        for condition in conditions { try Self.requireComparable(condition, among: selected) }
        guard selected.allSatisfy(\.tellsItsMembers), let doubt = doubt(among: devices) else {
            return
        }
        throw HomeError(.unknownMember, doubt)
    }

    /// Why the conditions may never be met: one is on a member that none of the devices has reported or is known to
    /// report. `nil` where nothing speaks for that.
    /// - Parameter devices: as of ``requireReportedMembers(among:)``.
    package func doubt(among devices: [KnownDevice]) -> String? {
        let devices = devices.filter(isSelected)
        let unknown = conditions.first { condition in
            !devices.contains { $0.mayReport(condition.member) }
        }
        guard !devices.isEmpty, let member = unknown?.member else { return nil }
        return "no device\(selection) is known to report a member \(member)"
            + Suggestion.question(about: member, among: devices.flatMap(\.memberNames))
    }

    /// Checks that a value of a condition can be compared with what one of the devices has reported.
    private static func requireComparable(
        _ condition: DeviceCondition, among devices: [KnownDevice]
    ) throws(HomeError) {
        // What is null at one device may become anything.
        let mismatches = devices.compactMap { $0.reportedValue(of: condition.member) }
            .map { $0.isNull ? nil : condition.mismatch(with: $0) }
        guard let first = mismatches.first, let mismatch = first,
            mismatches.allSatisfy({ $0 != nil })
        else { return }
        throw HomeError(
            .unknownMember, "the condition '\(condition)' cannot be used: \(mismatch)")
    }

    /// Whether a device has the kind and is in the room.
    private func isSelected(_ device: KnownDevice) -> Bool {
        guard kind == nil || device.profile?.kind == kind else { return false }
        guard let room else { return true }
        return device.label.room?.isSame(as: room) == true
    }
}

extension KnownDevice {
    /// Whether it is known what its state consists of.
    fileprivate var tellsItsMembers: Bool { state != nil || profile?.stateMembers != nil }

    /// Whether it has reported a member, or its description or kind says that it may.
    fileprivate func mayReport(_ member: String) -> Bool {
        if reportedValue(of: member) != nil { return true }
        let first = member.prefix { $0 != "." }
        return describedMembers.contains(member) || describedMembers.contains(String(first))
    }

    /// The members by its description and kind.
    private var describedMembers: Set<String> {
        let described = profile?.stateMembers ?? (state == nil ? profile?.usualStateMembers : nil)
        return (described ?? []).union(profile?.telemetryMembers ?? [])
    }

    /// Every member that it has reported or may report.
    fileprivate var memberNames: Set<String> {
        describedMembers.union(state?.members.keys.map(\.self) ?? [])
            .union(telemetry?.values.keys.map(\.self) ?? [])
    }
}

extension DeviceProfile {
    /// The members of its state, by its kind; `nil` for one that may report anything.
    fileprivate var usualStateMembers: Set<String>? {
        Signal.state(of: kind).map { Set($0.map(\.rawValue)) }
    }

    /// The members of its telemetry, by its kind; `nil` for one that may report anything.
    fileprivate var telemetryMembers: Set<String>? {
        Signal.telemetry(of: kind).map { Set($0.map(\.rawValue)) }
    }
}
