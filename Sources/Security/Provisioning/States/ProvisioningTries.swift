/// What an attempt has tried so far.
public struct ProvisioningTries: Hashable, Sendable {
    /// Where the device may be.
    public enum Whereabouts: Hashable, Sendable {
        /// In its box: it has no credentials of this attempt.
        case boxed
        /// It was given credentials, so it may have joined the home.
        case perhapsInHome
    }

    /// How often the access point was connected to since the device was last found.
    public var connections = 0
    /// How often credentials were sent.
    public var sendings = 0
    /// Where the device may be.
    public var whereabouts: Whereabouts

    public init(_ whereabouts: Whereabouts) { self.whereabouts = whereabouts }
}
