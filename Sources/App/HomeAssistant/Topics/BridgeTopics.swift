import Homeport

/// The topics between a home and Home Assistant, built and read in one place.
struct BridgeTopics: Hashable, Sendable {
    /// Where Home Assistant looks for entities.
    let prefix: DiscoveryPrefix
    /// The home whose devices are announced.
    let home: HomeID

    /// A topic on which the bridge listens, taken apart.
    enum Incoming: Hashable, Sendable {
        /// Home Assistant says that it has started, or stops.
        case birth
        /// A description of an entity that somebody published, by its device.
        case discovery(DeviceID)
        /// A device's availability that somebody published.
        case availability(DeviceID)
        /// A command for an entity.
        case command(DeviceID, EntityComponent, key: String)
        /// A command for a device by the command's own name.
        case named(DeviceID)
    }

    /// The level that all discovery topics of the home have.
    private var node: String { "homeport-\(home)" }
    private var base: String { "homeport/home-assistant/\(home)" }

    /// What is unique to an entity of a home, a device or nothing more; `_` is in no id of either.
    func uniqueID(_ device: DeviceID) -> String { "homeport_\(home)_\(device)" }

    /// Where the bridge says whether it runs; also its will.
    var status: String { "\(base)/status" }

    /// Where Home Assistant says whether it runs.
    var birth: String { "\(prefix)/status" }

    /// Whether a device can be reached.
    func availability(of device: DeviceID) -> String { "\(base)/\(device)/availability" }

    /// The states of all entities of a device but its vacuum.
    func state(of device: DeviceID) -> String { "\(base)/\(device)/state" }

    /// The state of a device's vacuum, whose form Home Assistant prescribes.
    func vacuum(of device: DeviceID) -> String { "\(base)/\(device)/vacuum" }

    /// The topics of a device's states.
    func states(of device: DeviceID) -> [String] {
        [availability(of: device), state(of: device), vacuum(of: device)]
    }

    /// Where commands of a device are taken by their own names.
    func send(to device: DeviceID) -> String { "\(base)/\(device)/send" }

    /// Where commands of an entity are taken.
    func command(_ device: DeviceID, _ component: EntityComponent, _ key: String) -> String {
        "\(base)/\(device)/\(component.rawValue)/\(key)/set"
    }

    /// Where an entity is described.
    func discovery(_ device: DeviceID, _ component: EntityComponent, _ key: String) -> String {
        "\(prefix)/\(component.rawValue)/\(node)/\(device)_\(key)/config"
    }

    /// Every topic of ``Incoming``, as filters.
    var filters: [String] {
        [
            birth, "\(prefix)/+/\(node)/+/config", "\(base)/+/availability", "\(base)/+/+/+/set",
            "\(base)/+/send",
        ]
    }

    /// Reads a topic; `nil` for one of another kind.
    func incoming(_ topic: String) -> Incoming? {
        if topic == birth { return .birth }
        if let levels = levels(of: topic, below: prefix.text) { return discovery(levels) }
        guard let levels = levels(of: topic, below: base), let first = levels.first,
            let device = DeviceID(rawValue: String(first))
        else { return nil }
        if levels.count == 2, levels[1] == "send" { return .named(device) }
        if levels.count == 2, levels[1] == "availability" { return .availability(device) }
        guard levels.count == 4, levels[3] == "set",
            let component = EntityComponent(rawValue: String(levels[1]))
        else { return nil }
        return .command(device, component, key: String(levels[2]))
    }

    private func discovery(_ levels: [Substring]) -> Incoming? {
        guard levels.count == 4, levels[1] == node, levels[3] == "config",
            let name = levels[2].split(separator: "_").first,
            let device = DeviceID(rawValue: String(name))
        else { return nil }
        return .discovery(device)
    }

    private func levels(of topic: String, below parent: String) -> [Substring]? {
        guard topic.hasPrefix("\(parent)/") else { return nil }
        return topic.dropFirst(parent.count + 1)
            .split(separator: "/", omittingEmptySubsequences: false)
    }
}
