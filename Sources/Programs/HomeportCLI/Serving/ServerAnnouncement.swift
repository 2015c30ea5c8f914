import Homeport
import LocalBroker

/// What a running server tells other calls of `homeport`: the content of `PID.json`.
struct ServerAnnouncement: Announcement, Hashable {
    static let folder = "servers"

    let processID: Int32
    /// The version of its program: another one may know other verbs.
    let version: String
    /// Whose home it works in.
    let place: ServedPlace
    /// Stands for the broker that is found in the meeting point at each attempt to connect.
    static let meetingPoint = "meeting-point"

    /// Where its broker is, or ``meetingPoint``; empty where a configuration file names the channels.
    let address: String
    /// The options of its connection that it was given.
    let connection: [String: String]

    init(
        processID: Int32, version: String, place: ServedPlace, address: String,
        connection: [String: String]
    ) {
        self.processID = processID
        self.version = version
        self.place = place
        self.address = address
        self.connection = connection
    }

    init?(json: [UInt8]) {
        guard let members = FlatJSONObject(json)?.members,
            case .integer(let pid) = members["pid"], let processID = Int32(exactly: pid)
        else { return nil }
        let texts = members.compactMapValues { value in
            if case .text(let text) = value { text } else { nil }
        }
        guard let version = texts["version"], let address = texts["address"],
            let place = ServedPlace(texts)
        else { return nil }
        let connection = texts.filter { ServedPlace.connectionOptions.contains($0.key) }
        self.init(
            processID: processID, version: version, place: place, address: address,
            connection: connection)
    }

    var json: [UInt8] {
        let texts = place.members.merging(connection) { $1 }
            .merging(["version": version, "address": address]) { $1 }
        return FlatJSONObject.bytes(
            [("pid", .integer(Int(processID)))]
                + texts.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) })
    }

    /// Whether it works in the home that a call means, over the connection that the call means.
    /// - Parameter addresses: what the call may mean as a broker; `nil` where any will do.
    func serves(_ place: ServedPlace, _ target: ServerTarget, at addresses: Set<String>?) -> Bool {
        guard version == HomeportCommand.version, self.place == place,
            addresses?.contains(address) ?? true
        else { return false }
        return ServedPlace.connectionOptions.allSatisfy { name in
            target.options[name] == nil || target.options[name] == connection[name]
        }
    }
}
