/// What Home Assistant or its broker asked of a bridge and could not get.
public struct HomeAssistantError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is. An open set.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public var description: String { rawValue }
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The discovery prefix is no part of a topic.
        public static let badPrefix = Code(rawValue: "bad-prefix")
        /// No announced entity takes commands on the topic.
        public static let unknownEntity = Code(rawValue: "unknown-entity")
        /// The entity does not take the payload.
        public static let badPayload = Code(rawValue: "bad-payload")
        /// The command was stored by the broker, so it may be old.
        public static let retainedCommand = Code(rawValue: "retained-command")
        /// More commands are under way than are tracked at a time.
        public static let tooManyCommands = Code(rawValue: "too-many-commands")
        /// There is no usable connection to the broker.
        public static let noConnection = Code(rawValue: "no-connection")
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened, why, and what to do.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
