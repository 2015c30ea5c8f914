public import DeviceDomain

/// A home offers itself to a boxed device: the first message of a claim (PROVISIONING, "The claim").
public struct ClaimOffer: Hashable, Sendable {
    /// The home.
    public let home: HomeID
    /// The name that the device shall have in it.
    public let device: DeviceID
    /// The URL of the broker that the device shall join, such as `mqtts://broker.example`.
    public let broker: String
    /// Identifies the claim.
    public let nonce: ClaimNonce
    /// What the device's request for a certificate must carry.
    public let token: ClaimToken
    /// The certificates of the authorities that the broker's certificate may come from, in PEM; `nil` where
    /// the system's are meant or the broker has none.
    public let authorities: String?

    public init(
        home: HomeID, device: DeviceID, broker: String, nonce: ClaimNonce, token: ClaimToken,
        authorities: String? = nil
    ) {
        self.home = home
        self.device = device
        self.broker = broker
        self.nonce = nonce
        self.token = token
        self.authorities = authorities
    }
}

extension ClaimOffer: PayloadMessage {
    private enum Fields {
        static let home = Field<HomeID>.identifier("home", "The home that the device shall join.")
        static let device = Field<DeviceID>.identifier(
            "device", "The name that the device shall have in the home.")
        static let broker = Field.text(
            "broker", maximumLength: 2048, "The URL of the broker that the device shall join.")
        static let authorities = Field.text(
            "ca", "The authorities of the broker's certificate, in PEM."
        ).optional
    }

    public static let shape = PayloadShape(
        name: "claim-offer", documentation: "A home offers itself to a boxed device.",
        members: [
            Field.version.member, Fields.home.member, Fields.device.member, Fields.broker.member,
            ClaimFields.nonce.member, ClaimFields.token.member, Fields.authorities.member,
        ])

    public init(payload: [UInt8]) throws(PayloadError) {
        let members = try MemberReader(payload: payload)
        home = try members.require(Fields.home)
        device = try members.require(Fields.device)
        broker = try members.require(Fields.broker)
        nonce = try members.require(ClaimFields.nonce)
        token = try members.require(ClaimFields.token)
        authorities = try members.optional(Fields.authorities)
    }

    public var payload: [UInt8] {
        MemberWriter.payload { writer in
            writer.put(Fields.home, home)
            writer.put(Fields.device, device)
            writer.put(Fields.broker, broker)
            writer.put(ClaimFields.nonce, nonce)
            writer.put(ClaimFields.token, token)
            writer.putIfPresent(Fields.authorities, authorities)
        }
    }
}

/// The members that several messages of a claim have.
enum ClaimFields {
    static let nonce = Field.claimNonce("nonce", "Identifies the claim.")
    static let token = Field<ClaimToken>(
        "token", .text(maximumLength: ClaimToken.maximumLength),
        "Lets the device ask for one certificate, once.",
        read: { $0.string.flatMap(ClaimToken.init(rawValue:)) }, encode: { $1.write($0.rawValue) })
}
