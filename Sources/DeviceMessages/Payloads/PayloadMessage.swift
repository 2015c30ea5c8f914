/// A payload of the protocol as a value: read strictly, written in one canonical form.
public protocol PayloadMessage: Sendable, Hashable {
    /// What the payload looks like; reader, JSON Schema and documentation come from it.
    static var shape: PayloadShape { get }
    /// Reads a payload.
    /// - Throws: ``PayloadError`` of the first thing that is wrong.
    init(payload: [UInt8]) throws(PayloadError)
    /// The canonical bytes: members in the order of PROTOCOL section 2.
    var payload: [UInt8] { get }
}
