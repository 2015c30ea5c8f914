import Homeport
import LocalBroker

/// What a running server tells other calls of `homeport`: the content of `PID.json`.
struct ServerAnnouncement: Announcement, Hashable {
    static let folder = "servers"

    let processID: Int32
    /// The version of its program: another one may know other verbs.
    let version: String
    /// What it works with.
    let scope: ServerScope
    /// Stands for the broker that is found in the meeting point at each attempt to connect.
    static let meetingPoint = "meeting-point"

    /// Where its broker is, or ``meetingPoint``; empty where a configuration file names the channels.
    let address: String

    init(processID: Int32, version: String, scope: ServerScope, address: String) {
        self.processID = processID
        self.version = version
        self.scope = scope
        self.address = address
    }

    init?(json: [UInt8]) {
        guard let members = FlatJSONObject(json)?.members,
            case .integer(let pid) = members["pid"], let processID = Int32(exactly: pid)
        else { return nil }
        let texts = members.compactMapValues { value in
            if case .text(let text) = value { text } else { nil }
        }
        guard let version = texts["version"], let address = texts["address"],
            let scope = ServerScope(texts)
        else { return nil }
        self.init(processID: processID, version: version, scope: scope, address: address)
    }

    var json: [UInt8] {
        let texts = scope.texts.merging(["version": version, "address": address]) { $1 }
        return FlatJSONObject.bytes(
            [("pid", .integer(Int(processID)))]
                + texts.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) })
    }

    /// Whether it works in the home that a call means, over the connection that the call means.
    /// - Parameter addresses: what the call may mean as a broker; `nil` where any will do.
    func serves(_ call: ServerScope, at addresses: Set<String>?) -> Bool {
        version == HomeportCommand.version && scope.includes(call)
            && addresses?.contains(address) ?? true
    }
}
