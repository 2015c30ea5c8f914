/// A subscription as its client knows it.
struct ClientSubscription {
    let requests: [MQTTSubscriptionRequest]
    let channel: SubscriptionChannel
    /// Whether the broker has accepted it, so that it must be renewed with a new session.
    var isGranted = false
    /// Whether the broker's present session has it.
    var isInSession = false
}
