/// A subscription as its client knows it.
struct ClientSubscription {
    /// Where its messages go.
    enum Sink {
        /// To the task that consumes them.
        case channel(SubscriptionChannel)
        /// To the requests that wait for answers on the topic.
        case responses(MQTTTopic)
    }

    let requests: [MQTTSubscriptionRequest]
    let sink: Sink
    /// What the broker is told with every SUBSCRIBE.
    var userProperties: [MQTTProperties.UserProperty] = []
    /// Whether the broker has accepted it, so that it must be renewed with a new session.
    var isGranted = false
    /// Whether the broker's present session has it.
    var isInSession = false
}
