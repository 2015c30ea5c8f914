public import DeviceDomain

/// A device's full reported state (PROTOCOL section 2).
public struct StateMessage: Hashable, Sendable {
    /// The device.
    public var device: DeviceID
    /// Its start.
    public var boot: BootID
    /// Rises by one when a controlled member changes and never falls.
    public var revision: Int
    /// When the state was so (world clock).
    public var at: Timestamp
    /// The command that caused the change; `nil` for a local cause.
    public var by: CommandID?
    /// The members of the state.
    public var state: JSONObject

    public init(
        device: DeviceID, boot: BootID, revision: Int, at: Timestamp, by: CommandID?,
        state: JSONObject
    ) {
        self.device = device
        self.boot = boot
        self.revision = revision
        self.at = at
        self.by = by
        self.state = state
    }
}

extension StateMessage: PayloadMessage {
    private enum Fields {
        static let device = Field<DeviceID>.device()
        static let boot = Field<BootID>.boot()
        static let revision = Field.count(
            "revision",
            "Rises by one when a controlled member changes; never falls, across boots too.")
        static let at = Field.time("at", "When the state was so (world clock).")
        static let by = Field<CommandID>.uniqueID(
            "by", "The command that caused the change; null for a local cause."
        ).nullable
        static let state = Field.object("state", "The members that the kind of device has.")
    }

    public static let shape = PayloadShape(
        name: "state", documentation: "The full reported state of a device.",
        members: [
            Field.version.member, Fields.device.member, Fields.boot.member,
            Fields.revision.member, Fields.at.member, Fields.by.member, Fields.state.member,
        ])

    public init(payload: [UInt8]) throws(PayloadError) {
        let members = try MemberReader(payload: payload)
        device = try members.require(Fields.device)
        boot = try members.require(Fields.boot)
        revision = try members.require(Fields.revision)
        at = try members.require(Fields.at)
        by = try members.require(Fields.by)
        state = try members.require(Fields.state)
    }

    public var payload: [UInt8] {
        MemberWriter.payload { writer in
            writer.put(Fields.device, device)
            writer.put(Fields.boot, boot)
            writer.put(Fields.revision, revision)
            writer.put(Fields.at, at)
            writer.put(Fields.by, by)
            writer.put(Fields.state, state)
        }
    }
}
