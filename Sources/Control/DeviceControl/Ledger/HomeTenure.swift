public import DeviceDomain

/// Who owned a home from some moment on, as far as it concerns a command.
public struct HomeTenure: Hashable, Sendable {
    /// What people call the instance; `nil` where nobody owned the home.
    public let instance: String?
    /// Since when.
    public let since: Timestamp
    /// How many entries of the command the log had then.
    public let entries: Int

    public init(instance: String?, since: Timestamp, entries: Int) {
        self.instance = instance
        self.since = since
        self.entries = entries
    }
}
