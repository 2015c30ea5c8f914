public import DeviceDomain

/// Something that happened to a device (PROTOCOL section 2).
public struct EventMessage: Hashable, Sendable {
    /// The device.
    public var device: DeviceID
    /// Its start.
    public var boot: BootID
    /// The event's own id.
    public var id: EventID
    /// When it happened (world clock).
    public var at: Timestamp
    /// What happened; also the last level of the topic.
    public var event: EventName
    /// More about it.
    public var detail: JSONObject

    public init(
        device: DeviceID, boot: BootID, id: EventID, at: Timestamp, event: EventName,
        detail: JSONObject = [:]
    ) {
        self.device = device
        self.boot = boot
        self.id = id
        self.at = at
        self.event = event
        self.detail = detail
    }
}

extension EventMessage: PayloadMessage {
    private enum Fields {
        static let device = Field<DeviceID>.device()
        static let boot = Field<BootID>.boot()
        static let id = Field<EventID>.uniqueID("id", "The event's own id.")
        static let at = Field.time("at", "When it happened (world clock).")
        static let event = Field<EventName>.identifier(
            "event", "What happened; also the last level of the topic.")
        static let detail = Field.object("detail", "More about it.")
    }

    public static let shape = PayloadShape(
        name: "event", documentation: "A fact that happened to a device.",
        members: [
            Field.version.member, Fields.device.member, Fields.boot.member, Fields.id.member,
            Fields.at.member, Fields.event.member, Fields.detail.member,
        ])

    public init(payload: [UInt8]) throws(PayloadError) {
        let members = try MemberReader(payload: payload)
        device = try members.require(Fields.device)
        boot = try members.require(Fields.boot)
        id = try members.require(Fields.id)
        at = try members.require(Fields.at)
        event = try members.require(Fields.event)
        detail = try members.require(Fields.detail)
    }

    public var payload: [UInt8] {
        MemberWriter.payload { writer in
            writer.put(Fields.device, device)
            writer.put(Fields.boot, boot)
            writer.put(Fields.id, id)
            writer.put(Fields.at, at)
            writer.put(Fields.event, event)
            writer.put(Fields.detail, detail)
        }
    }
}
