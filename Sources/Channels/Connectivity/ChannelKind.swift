/// A way to reach devices. An open set: every adapter adds its own.
public struct ChannelKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var description: String { rawValue }
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}
