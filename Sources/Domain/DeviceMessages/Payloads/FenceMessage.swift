/// A message that a reader sends to itself to learn that it has received all retained messages
/// (PROTOCOL section 1).
public struct FenceMessage: Hashable, Sendable {
    /// Distinguishes fences, also those of different readers.
    public let nonce: String

    public init(nonce: String) { self.nonce = nonce }
}

extension FenceMessage: PayloadMessage {
    private enum Fields {
        static let nonce = Field.text("nonce", "Tells one fence from another.")
    }

    public static let shape = PayloadShape(
        name: "fence",
        documentation: "A reader's message to itself, which follows the retained messages.",
        members: [Field.version.member, Fields.nonce.member])

    public init(payload: [UInt8]) throws(PayloadError) {
        nonce = try MemberReader(payload: payload).require(Fields.nonce)
    }

    public var payload: [UInt8] {
        MemberWriter.payload { $0.put(Fields.nonce, nonce) }
    }
}
