/// The client's record of a subscription.
struct ClientSubscription {
    /// The destination of its messages.
    enum Sink {
        /// The task that consumes them.
        case channel(SubscriptionChannel)
        /// The requests that wait for responses on the topic.
        case responses(MQTTTopic)
    }

    let requests: [MQTTSubscriptionRequest]
    let sink: Sink
    /// The user properties of every SUBSCRIBE.
    var userProperties: [MQTTProperties.UserProperty] = []
    /// Whether the broker has granted it, so that it must be renewed in a new session.
    var isGranted = false
    /// Whether the broker's present session contains it.
    var isInSession = false
}
