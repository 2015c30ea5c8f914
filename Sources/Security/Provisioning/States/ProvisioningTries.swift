/// What an attempt has tried so far.
public struct ProvisioningTries: Hashable, Sendable {
    /// Where the device may be.
    public enum ResumePoint: Hashable, Sendable {
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
    public var resumePoint: ResumePoint

    public init(_ resumePoint: ResumePoint) { self.resumePoint = resumePoint }
}
