/// Names of log metadata.
enum LogKey {
    /// What went wrong.
    static let error = "error"
}
