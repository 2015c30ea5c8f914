public import DeviceDomain
public import DeviceMessages

/// Something that happened to a command, as the ledger's log keeps it. The log is only added to;
/// what is known of a command at present follows from it.
public struct LedgerEvent: Hashable, Sendable {
    /// What happened. An open set: later versions add their own.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The command was written into the ledger.
        public static let created = Kind(rawValue: "created")
        /// It was handed to the link; `attempt` in the detail. The bytes are those of the command.
        public static let sent = Kind(rawValue: "sent")
        /// The settings that the link keeps for the device were read.
        public static let read = Kind(rawValue: "read")
        /// The link reported the result of a send.
        public static let receipt = Kind(rawValue: "receipt")
        /// The device, or a channel for it, reported on the command; the bytes as received.
        public static let evidence = Kind(rawValue: "evidence")
        /// The device was queried for its outcome.
        public static let asked = Kind(rawValue: "asked")
        /// The device answered, or did not.
        public static let answered = Kind(rawValue: "answered")
        /// Another process took it over.
        public static let adopted = Kind(rawValue: "adopted")
        /// The way to the device changed.
        public static let reach = Kind(rawValue: "reach")
        /// Its effect was seen in the device's state.
        public static let observed = Kind(rawValue: "observed")
        /// It was taken back, or another command took its place, before it left.
        public static let withdrawn = Kind(rawValue: "withdrawn")
        /// The user put it away: its outcome stays unknown, and nobody looks after it any more.
        public static let putAway = Kind(rawValue: "put-away")
        /// The user says that its home is at another broker now.
        public static let moved = Kind(rawValue: "moved")
        /// It never left, and goes over another channel: `channel` and, without secrets, `payload` in the detail.
        public static let rerouted = Kind(rawValue: "rerouted")
        /// A deadline passed.
        public static let deadline = Kind(rawValue: "deadline")
        /// A violation of the protocol; it changes nothing.
        public static let anomaly = Kind(rawValue: "anomaly")
        /// Another instance owns the home, or none: `instance` in the detail. No log has it: see ``HomeTenure``.
        public static let owner = Kind(rawValue: "owner")
        /// A change that was written before the ledger kept causes.
        public static let transition = Kind(rawValue: "transition")
    }

    /// The command.
    public var command: CommandID
    /// What happened.
    public var kind: Kind
    /// When it was written (wire clock).
    public var at: Timestamp
    /// Why, for people; may be empty.
    public var cause: String
    /// The state after it, where it changed the state.
    public var state: CommandState?
    /// More about it.
    public var detail: JSONObject
    /// The bytes as they came from the wire; empty where there were none.
    public var raw: [UInt8]

    public init(
        _ kind: Kind, of command: CommandID, at: Timestamp, cause: String = "",
        state: CommandState? = nil, detail: JSONObject = [:], raw: [UInt8] = []
    ) {
        self.command = command
        self.kind = kind
        self.at = at
        self.cause = cause
        self.state = state
        self.detail = detail
        self.raw = raw
    }
}
