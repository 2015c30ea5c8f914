public import Automation
public import Connectivity
public import DeviceDomain
internal import MQTTClient
internal import YAMLText

/// A configuration file: a home, its channels, and which devices use which.
///
/// ```yaml
/// home: villa
/// device-broker: "mqtts://broker.example:8883"
/// location: {latitude: 52.52, longitude: 13.40}
/// channels:
///   - {id: mqtt, kind: homeport-mqtt, broker: "mqtts://broker.example", ca-file: ca.pem}
///   - {id: attic, kind: zigbee2mqtt, broker: "mqtt://127.0.0.1:1883", base-topic: zigbee2mqtt}
/// rules:
///   - {kind: light, channel: attic}
///   - {device: sweeper-1, same-as: house-5, prefer: [house, mqtt]}
/// energy: {currency: EUR, price: 0.32, feed-in: 0.08}
/// ```
/// Files that it names are looked for beside it.
public struct ConfigurationFile: Sendable {
    /// The home, if the file names one.
    public var home: HomeID?
    /// The controller, if the file names one.
    public var controller: ControllerID?
    /// The ledger's file, if the file names one.
    public var database: String?
    /// The URL of the broker that boxed devices are told to join, if the file names one.
    public var deviceBroker: String?
    /// What energy costs, if the file says it.
    public var energy: EnergyTariff?
    /// Where the home is, if the file says it.
    public var location: GeographicPlace?
    /// How the user is told what rules have to say.
    public var notifications = ConfiguredNotifications()
    /// The channels in the order of the file.
    public var channels: [ConfiguredChannel]
    /// Which devices use which channel.
    public var rules: [ConfiguredRule]
    /// Its contexts, in the order of the file.
    public private(set) var contexts: [ConfiguredContext] = []
    /// The name of the context that calls mean which name none.
    public private(set) var contextInUse: String?
    /// Where the file is, for messages.
    let path: String

    /// The rules about channels in a home.
    public func channelRules(in home: HomeID) -> [ChannelRule] {
        rules.compactMap { $0.rule(in: home) }
    }

    /// Other ids of devices, each with the id that people see.
    public var aliases: [DeviceID: DeviceID] {
        rules.reduce(into: [:]) { aliases, rule in
            guard case .device(let device) = rule.scope else { return }
            for other in rule.sameAs { aliases[other] = device }
        }
    }

    /// Reads a file.
    /// - Throws: ``HomeError`` `configurationFile` with file, line and column of what is wrong.
    public init(path: String) throws(HomeError) {
        try self.init(path: path) { error throws(HomeError) in throw error }
    }

    /// Reads a file.
    /// - Parameter refused: gets the error of a channel that is wrong. If it does not throw it, the channel
    ///   is left out.
    package init(
        path: String, refused: (HomeError) throws(HomeError) -> Void
    ) throws(HomeError) {
        let text = try HomeError.ofConfiguration { () throws(UnreadableTextFile) in
            try TextFile(path: path, for: "configuration").text()
        }
        try self.init(text, path: path, refused: refused)
    }

    /// Reads the text of a file.
    /// - Parameters:
    ///   - text: YAML.
    ///   - path: where it is, for messages and for the files that it names.
    /// - Throws: as ``init(path:)``.
    public init(_ text: String, path: String) throws(HomeError) {
        try self.init(text, path: path) { error throws(HomeError) in throw error }
    }

    private init(
        _ text: String, path: String, refused: (HomeError) throws(HomeError) -> Void
    ) throws(HomeError) {
        channels = []
        rules = []
        self.path = path
        let members = try HomeError.ofConfiguration { () throws(YAMLProblem) in
            let members = try Self.members(of: text, path: path)
            home = try members["home"].map { node throws(YAMLProblem) in try node.identifier() }
            controller = try members["controller"].map { node throws(YAMLProblem) in
                try node.identifier()
            }
            database = try members["database"].map { node throws(YAMLProblem) in try node.database()
            }
            deviceBroker = try members["device-broker"].map { node throws(YAMLProblem) in
                "\(try node.brokerAddress())"
            }
            energy = try members["energy"].map { node throws(YAMLProblem) in
                try EnergyTariff(node)
            }
            location = try members["location"].map { node throws(YAMLProblem) in
                try GeographicPlace(node)
            }
            notifications = try ConfiguredNotifications(members)
            return members
        }
        contexts = try HomeError.ofConfiguration { () throws(YAMLProblem) in
            try members["contexts"]?.entries().map { entry throws(YAMLProblem) in
                try ConfiguredContext(entry.name, entry.key, entry.value)
            } ?? []
        }
        contextInUse = try HomeError.ofConfiguration { () throws(YAMLProblem) in
            try members["context"].map { node throws(YAMLProblem) in
                guard !contexts.isEmpty else {
                    throw node.error(
                        "\(try node.text()) is not one of the contexts, of which the file has none; name "
                            + "some under contexts:")
                }
                return try node.choice("contexts", of: contexts.map(\.name))
            }
        }
        let items = try HomeError.ofConfiguration { () throws(YAMLProblem) in
            try members["channels"]?.items() ?? []
        }
        for item in items {
            do {
                channels.append(try ConfiguredChannel(item))
            } catch {
                try refused(HomeError(error))
            }
        }
        try HomeError.ofConfiguration { () throws(YAMLProblem) in
            rules =
                try members["rules"].map { node throws(YAMLProblem) in
                    try node.items().map { node throws(YAMLProblem) in try ConfiguredRule(node) }
                } ?? []
            // A rule may name a channel that was left out.
            guard channels.count == items.count else { return }
            try checkReferences(items, members["rules"])
        }
    }

    private static func members(
        of text: String, path: String
    ) throws(YAMLProblem) -> [String: YAMLNode] {
        guard let root = try YAMLDocument(text, path: path).root else {
            throw YAMLProblem(
                path: path,
                message:
                    "this file is empty; write at least one of home, controller, database and "
                    + "channels, such as home: home-1")
        }
        return try root.members([
            "home", "controller", "database", "device-broker", "energy", "location",
            "notify-command",
            "notify-url", "notify-limit", "channels", "rules", "context", "contexts",
        ])
    }

    private func checkReferences(_ items: [YAMLNode], _ rules: YAMLNode?) throws(YAMLProblem) {
        var known: Set<ChannelID> = []
        for (channel, node) in zip(channels, items) {
            guard known.insert(channel.id).inserted else {
                throw node.error("the channel \(channel.id) is given twice; give each its own id")
            }
        }
        var ids: [DeviceID: YAMLNode] = [:]
        for (rule, node) in zip(self.rules, try rules?.items() ?? []) {
            if let channel = rule.channels.first(where: { !known.contains($0) }) {
                let remedy =
                    known.isEmpty
                    ? "the file has no channels; name some under channels:"
                    : "the channels are \(known.map(\.text).sorted().joined(separator: ", "))"
                throw node.error("no channel is called \(channel); \(remedy)")
            }
            for id in rule.sameAs {
                guard ids.updateValue(node, forKey: id) == nil else {
                    throw node.error("\(id) is the same as two devices; leave one of them out")
                }
            }
        }
        for (id, device) in aliases {
            guard let node = ids[device] else { continue }
            throw node.error(
                "\(device) is another id itself, and \(id) is the same as it; give all ids of a device in one rule"
            )
        }
    }
}

extension HomeError {
    /// The error of a configuration file that is wrong.
    init(_ problem: YAMLProblem) { self.init(.configurationFile, "\(problem)") }

    /// Reads or writes a part of a configuration file.
    static func ofConfiguration<Part, Problem: Error>(
        _ body: () throws(Problem) -> Part
    ) throws(HomeError) -> Part {
        do {
            return try body()
        } catch {
            throw HomeError(.configurationFile, "\(error)")
        }
    }
}
