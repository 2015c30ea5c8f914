internal import DeviceDomain

/// "Announce yourselves": every device of the home publishes description, presence and state
/// again within the spread (PROTOCOL section 2).
public struct HelloMessage: Hashable, Sendable {
    /// Distinguishes hello messages; at most 64 characters.
    public let nonce: String
    /// The time over which the devices spread their answers, 0 to 60 s in whole milliseconds.
    public let spread: Duration

    /// A greeting.
    /// - Precondition: the nonce has at most 64 characters, the spread is 0 to 60 s.
    public init(nonce: String, spread: Duration) {
        precondition(nonce.unicodeScalars.count <= 64, "a nonce has at most 64 characters")
        precondition(Self.spreads.contains(spread.wholeMilliseconds), "a spread is 0 to 60 s")
        self.nonce = nonce
        self.spread = .milliseconds(spread.wholeMilliseconds)
    }

    private static let spreads = 0...60_000
}

extension HelloMessage: PayloadMessage {
    private enum Fields {
        static let nonce = Field.text(
            "nonce", maximumLength: 64, "Tells one hello from another.")
        static let spreadMs = Field.integer(
            "spreadMs", within: spreads,
            "The time over which the devices spread their answers, in ms.")
    }

    public static let shape = PayloadShape(
        name: "hello",
        documentation: "Asks every device of a home to publish its retained topics again.",
        members: [Field.version.member, Fields.nonce.member, Fields.spreadMs.member])

    public init(payload: [UInt8]) throws(PayloadError) {
        let members = try MemberReader(payload: payload)
        nonce = try members.require(Fields.nonce)
        spread = .milliseconds(try members.require(Fields.spreadMs))
    }

    public var payload: [UInt8] {
        MemberWriter.payload { writer in
            writer.put(Fields.nonce, nonce)
            writer.put(Fields.spreadMs, spread.wholeMilliseconds)
        }
    }
}
