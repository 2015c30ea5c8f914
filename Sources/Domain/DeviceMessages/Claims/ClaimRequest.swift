public import DeviceDomain

/// A boxed device asks the home for a certificate: its answer to a ``ClaimOffer``.
public struct ClaimRequest: Hashable, Sendable {
    /// Identifies the claim.
    public let nonce: ClaimNonce
    /// What the offer carried.
    public let token: ClaimToken
    /// The serial number that the factory gave the device.
    public let serial: String
    /// The kind of the device.
    public let kind: DeviceKind
    /// The model of the device.
    public let model: DeviceModel
    /// The request for a certificate (PKCS #10), in PEM; its key never leaves the device.
    public let signingRequest: String

    public init(
        nonce: ClaimNonce, token: ClaimToken, serial: String, kind: DeviceKind, model: DeviceModel,
        signingRequest: String
    ) {
        self.nonce = nonce
        self.token = token
        self.serial = serial
        self.kind = kind
        self.model = model
        self.signingRequest = signingRequest
    }
}

extension ClaimRequest: PayloadMessage {
    private enum Fields {
        static let serial = Field.text(
            "serial", maximumLength: 128, "The serial number that the factory gave the device.")
        static let kind = Field<DeviceKind>.openName(
            "kind", known: [.sweepingRobot, .poolRobot, .energyStore], "What the device is.")
        static let model = Field<DeviceModel>.openName(
            "model", known: [], "The model of the device.")
        static let signingRequest = Field.text(
            "csr", "The request for a certificate (PKCS #10), in PEM.")
    }

    public static let shape = PayloadShape(
        name: "claim-request", documentation: "A boxed device asks a home for a certificate.",
        members: [
            Field.version.member, ClaimFields.nonce.member, ClaimFields.token.member,
            Fields.serial.member, Fields.kind.member, Fields.model.member,
            Fields.signingRequest.member,
        ])

    public init(payload: [UInt8]) throws(PayloadError) {
        let members = try MemberReader(payload: payload)
        nonce = try members.require(ClaimFields.nonce)
        token = try members.require(ClaimFields.token)
        serial = try members.require(Fields.serial)
        kind = try members.require(Fields.kind)
        model = try members.require(Fields.model)
        signingRequest = try members.require(Fields.signingRequest)
    }

    public var payload: [UInt8] {
        MemberWriter.payload { writer in
            writer.put(ClaimFields.nonce, nonce)
            writer.put(ClaimFields.token, token)
            writer.put(Fields.serial, serial)
            writer.put(Fields.kind, kind)
            writer.put(Fields.model, model)
            writer.put(Fields.signingRequest, signingRequest)
        }
    }
}
