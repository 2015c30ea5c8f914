package import DeviceDomain

/// A device of a running fleet, as `homeport-sim status` shows it.
package struct ControlledDevice: Hashable, Sendable {
    /// `HOME/DEVICE`.
    package let device: String
    /// Its kind, such as `sweeping-robot`.
    package let kind: String
    /// Whether it is connected.
    package let isOnline: Bool
    /// What it is doing, in a word.
    package let activity: String
    /// The broker that it uses, as `mqtt://host:port`; `nil` where its fleet does not say.
    package let broker: String?
    /// The faults that it has.
    package let faults: [PresentFault]

    package init(
        device: String, kind: String, isOnline: Bool, activity: String, broker: String?,
        faults: [PresentFault]
    ) {
        self.device = device
        self.kind = kind
        self.isOnline = isOnline
        self.activity = activity
        self.broker = broker
        self.faults = faults
    }

    init(_ members: LineMembers) throws(LocalServicesError) {
        let presence = try members.text("presence")
        guard presence == Self.online || presence == Self.offline else {
            throw LocalServicesError(.malformed, "presence is neither online nor offline")
        }
        var faults: [PresentFault] = []
        for fault in try members.objects("faults") { faults.append(try PresentFault(fault)) }
        self.init(
            device: try members.text("device"), kind: try members.text("kind"),
            isOnline: presence == Self.online, activity: try members.text("activity"),
            broker: try members.optionalText("broker"), faults: faults)
    }

    private static let online = "online"
    private static let offline = "offline"

    /// As JSON.
    package var members: JSONObject {
        var members: JSONObject = [
            "device": .string(device), "kind": .string(kind),
            "presence": .string(isOnline ? Self.online : Self.offline),
            "activity": .string(activity), "faults": .array(faults.map { .object($0.members) }),
        ]
        if let broker { members["broker"] = .string(broker) }
        return members
    }
}
