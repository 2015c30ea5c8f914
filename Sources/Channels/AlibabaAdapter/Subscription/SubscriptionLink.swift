internal import DeviceDomain

/// A message as it came, until it is accepted.
struct RawSubscribedMessage: Hashable, Sendable {
    /// Names it for ``SubscriptionConnection/accept(_:)``.
    let delivery: UInt64
    let topic: String
    let body: [UInt8]
    /// Of the platform; empty where it gave none. The same message may come twice.
    let messageID: String
    /// When the platform made it; `nil` where it did not say.
    let generated: Timestamp?
}

/// What happens on a connection to the subscription.
enum SubscriptionEvent: Hashable, Sendable {
    /// Messages come from now on.
    case attached
    /// A message came.
    case message(RawSubscribedMessage)
    /// The connection has ended, for this reason. Nothing follows.
    case ended(String)
}

/// One connection to the subscription, with one login.
protocol SubscriptionConnection: Sendable {
    /// What happens; it ends after `ended`. One consumer.
    var events: AsyncStream<SubscriptionEvent> { get }
    /// Accepts a message, so that it does not come again.
    func accept(_ delivery: UInt64)
    /// Closes the connection; `ended` follows.
    func stop()
}

/// Connects to the subscription of a platform.
protocol SubscriptionConnector: Sendable {
    /// Begins to connect.
    /// - Throws: ``SubscriptionUnavailable`` where that cannot be tried.
    func connect(_ login: SubscriptionLogin) throws(SubscriptionUnavailable)
        -> any SubscriptionConnection
}

/// A connection cannot be tried at all.
struct SubscriptionUnavailable: Error, Hashable, Sendable {
    /// Why, and what to do.
    let message: String
}
