/// The metadata keys of this module's log messages.
enum LogKey {
    static let clientID = "client-id"
    static let error = "error"
    static let broker = "broker"
    static let topic = "topic"
    /// Of a packet, bytes.
    static let size = "size"
    /// Time until the next attempt.
    static let retryIn = "retry-in"
    /// Messages without an acknowledgement at the end.
    static let undelivered = "undelivered"
    /// Those of them that never left.
    static let unsent = "unsent"
    /// The filters of subscriptions, with commas between them.
    static let filters = "filters"
}
