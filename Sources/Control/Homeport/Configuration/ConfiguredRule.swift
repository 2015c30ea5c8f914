public import Connectivity
public import DeviceDomain
internal import YAMLText

/// A rule of a configuration file: which channels some devices use, and which ids name one device.
public struct ConfiguredRule: Sendable {
    /// The devices that the rule is about.
    public enum Scope: Hashable, Sendable {
        /// One device.
        case device(DeviceID)
        /// Every device of a model.
        case model(DeviceModel)
        /// Every device of a kind.
        case kind(DeviceKind)
    }

    /// The devices that the rule is about.
    public var scope: Scope
    /// The channels that they use; `nil` where the rule says nothing of channels.
    public var use: ChannelRule.Use?
    /// The ids that the device has on other channels.
    public var sameAs: [DeviceID] = []

    /// The channels that the rule names.
    public var channels: [ChannelID] { use?.channels ?? [] }

    init(_ node: YAMLNode) throws(YAMLProblem) {
        let members = try node.members(["device", "model", "kind", "channel", "prefer", "same-as"])
        let scopes = [members["device"], members["model"], members["kind"]].compactMap(\.self)
        let uses = [members["channel"], members["prefer"], members["same-as"]].compactMap(\.self)
        guard scopes.count == 1, !uses.isEmpty else {
            throw node.error(
                "a rule needs a channel and one of device, model and kind; instead of the channel it may have "
                    + "prefer, a list of channels, and for a device same-as, its ids on other channels"
            )
        }
        if let device = members["device"] {
            scope = .device(try device.identifier())
        } else if let model = members["model"] {
            scope = .model(DeviceModel(rawValue: try model.text()))
        } else {
            scope = .kind(DeviceKind(rawValue: try scopes[0].text()))
        }
        use = try Self.use(members["channel"], members["prefer"])
        guard let others = members["same-as"] else { return }
        guard case .device(let device) = scope else {
            throw others.error("same-as is for a rule about one device; write device: ID")
        }
        sameAs = try Self.distinct(others)
        if sameAs.contains(device) {
            throw others.error("\(device) is the id of the device itself; write its other ids")
        }
    }

    private static func use(
        _ channel: YAMLNode?, _ preferred: YAMLNode?
    ) throws(YAMLProblem) -> ChannelRule.Use? {
        switch (channel, preferred) {
        case (let channel?, nil): return .only(try channel.identifier())
        case (nil, let preferred?): return .prefer(try distinct(preferred))
        case (nil, nil): return nil
        case (_?, let preferred?):
            throw preferred.error(
                "a rule has channel or prefer, not both: channel for the only one, prefer for an order"
            )
        }
    }

    /// One id, or a list of ids that differ.
    private static func distinct<Role>(_ node: YAMLNode) throws(YAMLProblem) -> [Identifier<Role>] {
        let nodes = node.isList ? try node.items() : [node]
        guard !nodes.isEmpty else { throw node.error("this list is empty; write at least one id") }
        var ids: [Identifier<Role>] = []
        for node in nodes {
            let id: Identifier<Role> = try node.identifier()
            guard !ids.contains(id) else { throw node.error("\(id) is given twice") }
            ids.append(id)
        }
        return ids
    }

    /// The rule about channels in a home; `nil` where it says nothing of them.
    public func rule(in home: HomeID) -> ChannelRule? {
        let scope: ChannelRule.Scope =
            switch scope {
            case .device(let device): .device(device, home)
            case .model(let model): .model(model)
            case .kind(let kind): .kind(kind)
            }
        return switch use {
        case .only(let channel): ChannelRule(scope, use: channel)
        case .prefer(let channels): ChannelRule(scope, prefer: channels)
        case nil: nil
        }
    }
}
