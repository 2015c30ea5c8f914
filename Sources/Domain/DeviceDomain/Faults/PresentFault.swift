/// A fault that a device has.
public struct PresentFault: Hashable, Sendable {
    /// Its name.
    public let name: FaultName
    /// Its parameters that were given, by name, in their units.
    public let settings: [String: Double]
    /// When it ends by itself (world clock); `nil` for one that stays until it is ended.
    public let until: Timestamp?

    public init(name: FaultName, settings: [String: Double], until: Timestamp?) {
        self.name = name
        self.settings = settings
        self.until = until
    }
}
