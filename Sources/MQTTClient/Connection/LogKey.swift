/// The metadata keys of this module's log messages.
enum LogKey {
    static let clientID = "client-id"
    static let error = "error"
    static let topic = "topic"
}
