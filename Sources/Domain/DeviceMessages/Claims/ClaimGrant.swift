public import DeviceDomain

/// A home gives a boxed device its certificate: the second message of a claim.
public struct ClaimGrant: Hashable, Sendable {
    /// Identifies the claim.
    public let nonce: ClaimNonce
    /// The device's certificate and those that lead to the authority, in PEM.
    public let certificate: String

    public init(nonce: ClaimNonce, certificate: String) {
        self.nonce = nonce
        self.certificate = certificate
    }
}

extension ClaimGrant: PayloadMessage {
    private enum Fields {
        static let certificate = Field.text("certificate", "The device's certificate, in PEM.")
    }

    public static let shape = PayloadShape(
        name: "claim-grant", documentation: "A home gives a boxed device its certificate.",
        members: [
            Field.version.member, ClaimFields.nonce.member, Fields.certificate.member,
        ])

    public init(payload: [UInt8]) throws(PayloadError) {
        let members = try MemberReader(payload: payload)
        nonce = try members.require(ClaimFields.nonce)
        certificate = try members.require(Fields.certificate)
    }

    public var payload: [UInt8] {
        MemberWriter.payload { writer in
            writer.put(ClaimFields.nonce, nonce)
            writer.put(Fields.certificate, certificate)
        }
    }
}

/// A boxed device has its certificate: its answer to a ``ClaimGrant``.
public struct ClaimReceipt: Hashable, Sendable {
    /// Identifies the claim.
    public let nonce: ClaimNonce

    public init(nonce: ClaimNonce) { self.nonce = nonce }
}

extension ClaimReceipt: PayloadMessage {
    public static let shape = PayloadShape(
        name: "claim-receipt", documentation: "A boxed device has its certificate.",
        members: [Field.version.member, ClaimFields.nonce.member])

    public init(payload: [UInt8]) throws(PayloadError) {
        nonce = try MemberReader(payload: payload).require(ClaimFields.nonce)
    }

    public var payload: [UInt8] {
        MemberWriter.payload { $0.put(ClaimFields.nonce, nonce) }
    }
}
