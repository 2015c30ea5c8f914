/// Keys of log metadata.
enum LogKey {
    /// The error that occurred.
    static let error = "error"
}
