public import DeviceDomain

/// The settings that a device reconciles when it connects; never actions (PROTOCOL section 2).
public struct DesiredMessage: Hashable, Sendable {
    /// The device.
    public var device: DeviceID
    /// Rises by one with every writing of the document.
    public var revision: Int
    /// When it was written (wire clock).
    public var at: Timestamp
    /// The settings by their names.
    public var settings: JSONObject

    public init(device: DeviceID, revision: Int, at: Timestamp, settings: JSONObject) {
        self.device = device
        self.revision = revision
        self.at = at
        self.settings = settings
    }
}

extension DesiredMessage: PayloadMessage {
    private enum Fields {
        static let device = Field<DeviceID>.identifier(
            "device", "The device that the settings are meant for.")
        static let revision = Field.count(
            "revision", "Rises by one with every writing; the last writer wins.")
        static let at = Field.time("at", "When it was written (wire clock).")
        static let settings = Field.object("settings", "The wanted settings, such as `schedule`.")
    }

    public static let shape = PayloadShape(
        name: "desired", documentation: "Settings that a device reconciles when it connects.",
        members: [
            Field.version.member, Fields.device.member, Fields.revision.member,
            Fields.at.member, Fields.settings.member,
        ])

    public init(payload: [UInt8]) throws(PayloadError) {
        let members = try MemberReader(payload: payload)
        device = try members.require(Fields.device)
        revision = try members.require(Fields.revision)
        at = try members.require(Fields.at)
        settings = try members.require(Fields.settings)
    }

    public var payload: [UInt8] {
        MemberWriter.payload { writer in
            writer.put(Fields.device, device)
            writer.put(Fields.revision, revision)
            writer.put(Fields.at, at)
            writer.put(Fields.settings, settings)
        }
    }
}
