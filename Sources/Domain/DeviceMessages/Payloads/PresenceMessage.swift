public import DeviceDomain

/// The presence of a device; also its will (PROTOCOL section 2).
public struct PresenceMessage: Hashable, Sendable {
    /// The device.
    public var device: DeviceID
    /// The presence report.
    public var report: PresenceReport

    public init(device: DeviceID, report: PresenceReport) {
        self.device = device
        self.report = report
    }
}

extension PresenceMessage: PayloadMessage {
    private enum Fields {
        static let device = Field<DeviceID>.identifier(
            "device", "The device that speaks, itself or through its will.")
        static let status = Field<PresenceReport.Status>.choice(
            "status", "Whether the device is there.")
        static let boot = Field<BootID>.identifier(
            "boot",
            "The start of the device that the message speaks of; a will has that of its CONNECT.")
        static let at = Field.time(
            "at",
            "When it was written (wire clock): for a will the CONNECT, never the time of loss.")
        static let claim = Field.claimNonce(
            "claim", "The claim by which the device came into the home, until that is committed."
        ).optional
    }

    public static let shape = PayloadShape(
        name: "presence", documentation: "Whether a device is there; also its will.",
        members: [
            Field.version.member, Fields.device.member, Fields.status.member,
            Fields.boot.member, Fields.at.member, Fields.claim.member,
        ])

    public init(payload: [UInt8]) throws(PayloadError) {
        let members = try MemberReader(payload: payload)
        device = try members.require(Fields.device)
        report = PresenceReport(
            status: try members.require(Fields.status), boot: try members.require(Fields.boot),
            at: try members.require(Fields.at), claim: try members.optional(Fields.claim))
    }

    public var payload: [UInt8] {
        MemberWriter.payload(reserving: 128) { writer in
            writer.put(Fields.device, device)
            writer.put(Fields.status, report.status)
            writer.put(Fields.boot, report.boot)
            writer.put(Fields.at, report.at)
            writer.putIfPresent(Fields.claim, report.claim)
        }
    }
}
