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
    package let faults: [ControlledFault]

    package init(
        device: String, kind: String, isOnline: Bool, activity: String, broker: String?,
        faults: [ControlledFault]
    ) {
        self.device = device
        self.kind = kind
        self.isOnline = isOnline
        self.activity = activity
        self.broker = broker
        self.faults = faults
    }

    init(_ members: ControlMembers) throws(ControlError) {
        let presence = try members.text("presence")
        guard presence == Self.online || presence == Self.offline else {
            throw ControlError("presence is neither online nor offline")
        }
        var faults: [ControlledFault] = []
        for fault in try members.objects("faults") { faults.append(try ControlledFault(fault)) }
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

/// A fault that a device has.
package struct ControlledFault: Hashable, Sendable {
    /// Its name.
    package let fault: String
    /// Its parameters that were given.
    package let settings: JSONObject
    /// When it ends by itself (world clock); `nil` for one that stays until it is cleared.
    package let until: Timestamp?

    package init(fault: String, settings: JSONObject, until: Timestamp?) {
        self.fault = fault
        self.settings = settings
        self.until = until
    }

    init(_ members: ControlMembers) throws(ControlError) {
        self.init(
            fault: try members.text("fault"), settings: try members.object("settings"),
            until: try members.timestamp("until"))
    }

    var members: JSONObject {
        var members: JSONObject = ["fault": .string(fault)]
        if !settings.isEmpty { members["settings"] = .object(settings) }
        if let until { members["until"] = .integer(until.milliseconds) }
        return members
    }
}
