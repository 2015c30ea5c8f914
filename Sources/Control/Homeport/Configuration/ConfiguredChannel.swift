public import Connectivity
public import DeviceDomain
internal import MosquittoAdapter
internal import YAMLText

/// A channel of a configuration file.
public struct ConfiguredChannel: Sendable {
    /// Names the channel.
    public let id: ChannelID
    /// What kind it is.
    public let kind: ChannelKind
    private var link: ChannelDialect.Link

    init(_ node: YAMLNode) throws(YAMLProblem) {
        // A channel of an unknown kind has members of its own, which tell nothing.
        if let kind = node.member("kind") { _ = try ChannelDialect(kind) }
        let members = try node.members(ChannelDialect.allMembers)
        id = try node.required("id", of: members).identifier()
        let dialect = try ChannelDialect(try node.required("kind", of: members))
        kind = dialect.kind
        for (name, member) in members where !dialect.members.contains(name) {
            let kinds = ChannelDialect.all.filter { $0.members.contains(name) }
            throw member.error(
                "\(name) is for channels of kind "
                    + kinds.map(\.kind.rawValue).joined(separator: ", "))
        }
        link = try dialect.read(ChannelLine(node: node, id: id, members: members))
    }

    /// How its broker is reached; `nil` for a channel without one, which stays without one.
    public var connection: BrokerConnection? {
        get { if case .broker(let connection, _) = link { connection } else { nil } }
        set {
            guard let newValue, case .broker(_, let make) = link else { return }
            link = .broker(newValue, make: make)
        }
    }

    /// For its connection to be made.
    public var connectTimeout: Duration {
        get {
            switch link {
            case .broker(let connection, _): connection.connectTimeout
            case .other(let timeout, _): timeout
            }
        }
        set {
            switch link {
            case .broker(var connection, let make):
                connection.connectTimeout = newValue
                link = .broker(connection, make: make)
            case .other(_, let make): link = .other(connectTimeout: newValue, make: make)
            }
        }
    }

    /// Whether its devices speak the Homeport protocol.
    package var isHomeportMQTT: Bool { kind == .homeportMQTT }

    /// The channel as a home has it.
    public var setup: ChannelSetup {
        switch link {
        case .broker(let connection, let make): make(connection)
        case .other(let timeout, let make): make(timeout)
        }
    }
}
