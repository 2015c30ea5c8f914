/// The metadata keys of this module's log messages.
enum LogKey {
    static let clientID = "client-id"
    static let error = "error"
    static let broker = "broker"
    static let topic = "topic"
    /// The size of a packet, bytes.
    static let size = "size"
    /// Time until the next attempt.
    static let retryIn = "retry-in"
    /// Messages that were not acknowledged before the connection ended.
    static let undelivered = "undelivered"
    /// How many of those were never sent.
    static let unsent = "unsent"
    /// The filters of subscriptions, separated by commas.
    static let filters = "filters"
}
