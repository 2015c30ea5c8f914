/// Something that could not be done: why, and what the user can do about it.
public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened and why, as the library below said it.
    public let cause: String
    /// What the user can do.
    public let remedy: Remedy
    /// The code of the cause, by which a view says it in its own language: that of `HomeError` or
    /// `CommunicationError`, or one of a view model; empty for none.
    public let code: String

    public init(_ cause: String, _ remedy: Remedy, code: String = "") {
        self.cause = cause
        self.remedy = remedy
        self.code = code
    }

    public var description: String { cause }
}

/// What a user can do about a failure. A view has a text for each in each of its languages.
public enum Remedy: Hashable, Sendable, CaseIterable {
    /// Bring the connection back, or wait for it.
    case checkConnection
    /// Choose another device: this one is not known.
    case chooseDevice
    /// Change what was entered; the cause says what is wrong with it.
    case changeEntry
    /// Switch the device off, and repeat it then.
    case switchDeviceOff
    /// Put the ledger's file or its disk in order.
    case checkStorage
    /// Look at the present state first: what was asked for does not fit it any more.
    case lookAgain
    /// Start the fleet of simulated devices again.
    case startFleet
    /// Try the same again.
    case tryAgain
    /// Change the configuration.
    case changeConfiguration
}
