/// Keys of log metadata.
enum ChannelLogKey {
    /// The error that occurred.
    static let error = "error"
}
