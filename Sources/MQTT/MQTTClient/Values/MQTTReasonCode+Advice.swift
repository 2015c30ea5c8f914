extension MQTTReasonCode {
    /// What to do about a refusal, for the end of an error message. For unknown codes it points to the
    /// broker's log.
    var advice: String {
        switch self {
        case .badUserNameOrPassword, .badAuthenticationMethod: "check the credentials"
        case .notAuthorized: "check the credentials, and what the broker allows this client"
        case .banned, .administrativeAction: "ask the broker's operator"
        case .clientIdentifierNotValid:
            "the broker takes no such client id, look for its rule"
        case .unsupportedProtocolVersion: "it speaks another version of MQTT"
        case .serverUnavailable, .serverBusy, .serverShuttingDown: "wait until the broker is ready"
        case .connectionRateExceeded: "connect less often"
        case .quotaExceeded, .messageRateTooHigh: "send less, or raise the broker's quota"
        case .useAnotherServer, .serverMoved: "connect to the broker that takes its place"
        case .sessionTakenOver: "give each client an id of its own"
        case .keepAliveTimeout: "check the network, or allow a longer keep-alive interval"
        case .topicFilterInvalid, .topicNameInvalid: "check the topic against the broker's rules"
        case .packetTooLarge: "send smaller messages"
        case .payloadFormatInvalid: "send UTF-8, or do not declare it"
        case .retainNotSupported: "publish without retain"
        case .qosNotSupported: "use a lower QoS"
        case .sharedSubscriptionsNotSupported: "subscribe without $share"
        case .wildcardSubscriptionsNotSupported: "subscribe to every topic by its name"
        case .receiveMaximumExceeded: "lower the configuration's sendMaximum"
        case .maximumConnectTime: "connect again"
        default: "look for the cause in the broker's log"
        }
    }
}
