internal import Connectivity
internal import DeviceDomain
internal import MosquittoAdapter
internal import YAMLText

/// A line of `channels:` in a configuration file, as its kind reads it.
struct ChannelLine {
    /// The line, for errors about what is missing.
    let node: YAMLNode
    /// Names the channel.
    let id: ChannelID
    /// What the line has.
    let members: [String: YAMLNode]

    /// For the connection to be made.
    func connectTimeout() throws(YAMLProblem) -> Duration {
        try members["connect-timeout"]?.duration() ?? .seconds(10)
    }
}

/// A kind of channel in a configuration file: the members of its line, and what becomes of them. A new kind
/// is a value and its place in ``all``.
struct ChannelDialect: Sendable {
    /// How the other end is reached, and the channel that is made with it.
    enum Link: Sendable {
        /// By an MQTT broker.
        case broker(BrokerConnection, make: @Sendable (BrokerConnection) -> ChannelSetup)
        /// By what the kind has read itself.
        case other(connectTimeout: Duration, make: @Sendable (Duration) -> ChannelSetup)
    }

    let kind: ChannelKind
    /// The members that a line may have.
    let members: [String]
    /// Reads a line.
    let read: @Sendable (ChannelLine) throws(YAMLProblem) -> Link

    /// Every kind that a file can name.
    static let all: [ChannelDialect] = [
        .homeportMQTT, .zigbee2MQTT, .matter, .alibabaCloud, .alink,
    ]

    /// Every member of any kind.
    static let allMembers = all.reduce(into: []) { known, dialect in
        known += dialect.members.filter { !known.contains($0) }
    }

    /// A kind with members of its own.
    /// - Parameter read: reads a line; its members are known, and `id` and `kind` are there.
    init(
        _ kind: ChannelKind, members: [String],
        read: @escaping @Sendable (ChannelLine) throws(YAMLProblem) -> Link
    ) {
        self.kind = kind
        self.members = ["id", "kind", "connect-timeout"] + members
        self.read = read
    }

    /// A kind whose devices are behind an MQTT broker.
    /// - Parameters:
    ///   - members: those beside the ones of every broker.
    ///   - read: reads these, and says how the channel is made.
    static func broker(
        _ kind: ChannelKind, members: [String] = [],
        read:
            @escaping @Sendable (ChannelLine) throws(YAMLProblem)
            -> @Sendable (BrokerConnection) -> ChannelSetup
    ) -> ChannelDialect {
        ChannelDialect(kind, members: BrokerConnection.members + members) {
            line throws(YAMLProblem) in
            .broker(try BrokerConnection(line), make: try read(line))
        }
    }

    /// The kind that a line names.
    init(_ node: YAMLNode) throws(YAMLProblem) {
        let name = try node.choice("kinds of channel", of: Self.all.map(\.kind.rawValue))
        guard let dialect = Self.all.first(where: { $0.kind.rawValue == name }) else {
            throw node.error("\(name) is not one of the kinds of channel")
        }
        self = dialect
    }

    private static let homeportMQTT = broker(.homeportMQTT) { line throws(YAMLProblem) in
        { [id = line.id] in .homeportMQTT(id: id, $0) }
    }
}
