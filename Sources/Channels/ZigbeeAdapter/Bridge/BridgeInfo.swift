internal import DeviceDomain

/// The contents of `bridge/info`, without the settings, which may contain secrets.
struct BridgeInfo: Hashable, Sendable {
    /// The version of zigbee2mqtt.
    var version = ""
    /// The kind of its radio, such as `EmberZNet`.
    var coordinator = "zigbee2mqtt"
    /// The values that can change: whether devices may join, until when (milliseconds of Unix time), and
    /// whether a setting needs a restart.
    var state: JSONObject = [:]

    init() {}

    init(_ members: JSONObject) {
        version = members["version"]?.string?.brief(60) ?? ""
        coordinator = members["coordinator"]?.object?["type"]?.string?.brief(60) ?? coordinator
        for name in ["permit_join", "permit_join_end", "restart_required"] {
            switch members[name] {
            case .boolean(let value): state[name] = .boolean(value)
            case .number(let value): state[name] = .number(value)
            case .null, .string, .array, .object, nil: break
            }
        }
        if !version.isEmpty { state["version"] = .string(version) }
    }

    /// The bridge as a device, named after its channel.
    func profile(of bridge: DeviceID, in home: HomeID) -> DeviceProfile {
        DeviceProfile(
            id: bridge, home: home, kind: .zigbeeBridge,
            model: DeviceModel(rawValue: coordinator), name: bridge.text, firmware: version,
            capabilities: [.connectable, .controllable], commands: [.permitJoin])
    }
}

extension CommandSpecification {
    /// Lets devices join the network for this many seconds; 0 ends it.
    static let permitJoin = CommandSpecification(
        name: CommandName(rawValue: "permit-join"),
        arguments: .members(["seconds": .integer(0...254)]), sort: .instant)
}
