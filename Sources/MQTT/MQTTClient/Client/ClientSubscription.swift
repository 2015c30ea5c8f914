/// The client's record of a subscription.
struct ClientSubscription {
    /// The destination of its messages.
    enum Sink {
        /// The task that consumes them.
        case channel(SubscriptionChannel)
        /// The requests that wait for responses on the topic.
        case responses(MQTTTopic)
    }

    let sink: Sink
    /// The user properties of every SUBSCRIBE.
    var userProperties: [MQTTProperties.UserProperty] = []

    /// The buffer of the consuming task.
    var channel: SubscriptionChannel? {
        if case .channel(let channel) = sink { channel } else { nil }
    }
}
