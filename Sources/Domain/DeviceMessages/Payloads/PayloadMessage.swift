/// A payload of the protocol, which is parsed strictly and written in one canonical form.
public protocol PayloadMessage: Sendable, Hashable {
    /// The shape of the payload, from which parser, JSON Schema and documentation are derived.
    static var shape: PayloadShape { get }
    /// Reads a payload.
    /// - Throws: ``PayloadError`` for the first error.
    init(payload: [UInt8]) throws(PayloadError)
    /// The canonical bytes: members in the order of PROTOCOL section 2.
    var payload: [UInt8] { get }
}
