public import DeviceDomain

/// One sample of a device's signals (PROTOCOL section 2).
public struct TelemetryMessage: Hashable, Sendable {
    /// The device.
    public var device: DeviceID
    /// Its start.
    public var boot: BootID
    /// When the sample was taken (world clock).
    public var at: Timestamp
    /// Rises by one from 1 for each boot; a gap is a lost sample.
    public var n: Int
    /// The signals.
    public var values: JSONObject

    public init(device: DeviceID, boot: BootID, at: Timestamp, n: Int, values: JSONObject) {
        self.device = device
        self.boot = boot
        self.at = at
        self.n = n
        self.values = values
    }
}

extension TelemetryMessage: PayloadMessage {
    private enum Fields {
        static let device = Field<DeviceID>.device()
        static let boot = Field<BootID>.boot()
        static let at = Field.time("at", "When the sample was taken (world clock).")
        static let n = Field.count(
            "n", from: 1, "Rises by one from 1 for each boot; a gap is a lost sample.")
        static let values = Field.object("values", "The signals that the kind of device has.")
    }

    public static let shape = PayloadShape(
        name: "telemetry", documentation: "One sample of a device's signals.",
        members: [
            Field.version.member, Fields.device.member, Fields.boot.member, Fields.at.member,
            Fields.n.member, Fields.values.member,
        ])

    public init(payload: [UInt8]) throws(PayloadError) {
        let members = try MemberReader(payload: payload)
        device = try members.require(Fields.device)
        boot = try members.require(Fields.boot)
        at = try members.require(Fields.at)
        n = try members.require(Fields.n)
        values = try members.require(Fields.values)
    }

    public var payload: [UInt8] {
        Beginning(device: device, boot: boot).payload(at: at, n: n) { $0.write(values) }
    }

    /// What all samples of one boot of a device begin with, written once.
    package struct Beginning: Hashable, Sendable {
        private let bytes: [UInt8]

        package init(device: DeviceID, boot: BootID) {
            let members = MemberWriter.payload { writer in
                writer.put(Fields.device, device)
                writer.put(Fields.boot, boot)
            }
            // Without the brace at the end.
            bytes = Array(members.dropLast())
        }

        /// The bytes of a sample whose values are written one by one instead of being collected first.
        /// - Parameter writingValues: writes the values as one object, its members in the order of their names.
        package func payload(
            at: Timestamp, n: Int, writingValues: (inout JSONWriter) -> Void
        ) -> [UInt8] {
            MemberWriter.payload(goingOnAfter: bytes) { writer in
                writer.put(Fields.at, at)
                writer.put(Fields.n, n)
                writer.put(Fields.values, writing: writingValues)
            }
        }
    }
}
