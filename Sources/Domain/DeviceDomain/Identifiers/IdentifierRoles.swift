/// Identifies a home: the devices of one household.
public typealias HomeID = Identifier<HomeRole>
/// Identifies a device within its home.
public typealias DeviceID = Identifier<DeviceRole>
/// Identifies a controller: the owner of a ledger and of an ack topic, not a connection.
public typealias ControllerID = Identifier<ControllerRole>
/// Identifies a channel through which devices are reached, such as one broker.
public typealias ChannelID = Identifier<ChannelRole>
/// Identifies one start of a device; a reconnect does not change it.
public typealias BootID = Identifier<BootRole>
/// Names a kind of event, such as `cleaning-finished`.
public typealias EventName = Identifier<EventRole>

/// The role of ``HomeID``.
public enum HomeRole: IdentifierRole {
    public static let noun = "home id"
    public static let grammar = IdentifierGrammar.slug
}

/// The role of ``DeviceID``.
public enum DeviceRole: IdentifierRole {
    public static let noun = "device id"
    public static let grammar = IdentifierGrammar.slug
}

/// The role of ``ControllerID``.
public enum ControllerRole: IdentifierRole {
    public static let noun = "controller id"
    public static let grammar = IdentifierGrammar.slug
}

/// The role of ``ChannelID``.
public enum ChannelRole: IdentifierRole {
    public static let noun = "channel id"
    public static let grammar = IdentifierGrammar.slug
}

/// The role of ``BootID``.
public enum BootRole: IdentifierRole {
    public static let noun = "boot id"
    public static let grammar = IdentifierGrammar.token
}

/// The role of ``EventName``.
public enum EventRole: IdentifierRole {
    public static let noun = "event name"
    public static let grammar = IdentifierGrammar.word
}
