import Homeport
import LocalServices

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

    /// Where its broker is, or ``meetingPoint``; empty where a configuration file says how devices are reached.
    let address: String

    init(processID: Int32, version: String, scope: ServerScope, address: String) {
        self.processID = processID
        self.version = version
        self.scope = scope
        self.address = address
    }

    init(_ members: LineMembers) throws(LocalServicesError) {
        guard let scope = ServerScope(members.allTexts) else {
            throw LocalServicesError(.malformed, "a server does not say which home it serves")
        }
        self.init(
            processID: try members.process(), version: try members.text("version"), scope: scope,
            address: try members.text("address"))
    }

    var members: JSONObject {
        scope.texts.merging(["version": version, "address": address]) { $1 }
            .mapValues(JSONValue.string)
    }

    /// Whether it may carry out a verb. One with `--connect-timeout` or `--verbose` is left to its process: the
    /// connections of the server are made already, and the process logs for itself.
    /// - Parameter place: where the line was written.
    func serves(_ verb: any HomeVerb, from place: CallPlace, at meetingPoint: MeetingPoint) -> Bool
    {
        verb.serverUse != .never && !verb.common.verbose && verb.broker.connectTimeout == nil
            && serves(verb.options, from: place, at: meetingPoint)
    }

    /// Whether it works in the home that a call means, over the connection that the call means.
    /// - Parameter place: where the options were written.
    func serves(
        _ options: VerbOptions, from place: CallPlace, at meetingPoint: MeetingPoint
    ) -> Bool {
        guard version == HomeportCommand.version,
            let options = try? options.inContext(at: place),
            let call = try? ServerScope(options, at: place), scope.includes(call)
        else { return false }
        let meant = Self.addresses(options, place, call, meetingPoint)
        return meant?.contains(address) ?? true
    }

    /// The broker that a call means, also as a server announces it that found the broker in the meeting
    /// point; `nil` where any server of the home will do.
    private static func addresses(
        _ options: VerbOptions, _ place: CallPlace, _ call: ServerScope,
        _ meetingPoint: MeetingPoint
    ) -> Set<String>? {
        var only: String?
        if case .one(let broker)? = try? meetingPoint.live() { only = broker.url }
        if let named = options.namedBroker(at: place) {
            let address = (try? MQTTBrokerAddress.cluster(urls: named))?.clusterText ?? named
            return address == only ? [address, Self.meetingPoint] : [address]
        }
        if !call.config.isEmpty { return ["", Self.meetingPoint] }
        guard let only else { return nil }
        return [only, Self.meetingPoint]
    }
}
