extension MQTTReasonCode: CustomStringConvertible {
    /// The specification's name of the code, with its number.
    public var description: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        return "\(Self.names[self] ?? "reason code") (0x\(digits.count < 2 ? "0" : "")\(digits))"
    }

    private static let names: [MQTTReasonCode: String] = [
        .success: "success", .grantedQoS1: "granted QoS 1", .grantedQoS2: "granted QoS 2",
        .noMatchingSubscribers: "no matching subscribers",
        .noSubscriptionExisted: "no subscription existed", .unspecifiedError: "unspecified error",
        .malformedPacket: "malformed packet", .protocolError: "protocol error",
        .implementationSpecificError: "implementation specific error",
        .unsupportedProtocolVersion: "unsupported protocol version",
        .clientIdentifierNotValid: "client identifier not valid",
        .badUserNameOrPassword: "bad user name or password", .notAuthorized: "not authorized",
        .serverUnavailable: "server unavailable", .serverBusy: "server busy", .banned: "banned",
        .serverShuttingDown: "server shutting down",
        .badAuthenticationMethod: "bad authentication method",
        .keepAliveTimeout: "keep alive timeout", .sessionTakenOver: "session taken over",
        .topicFilterInvalid: "topic filter invalid", .topicNameInvalid: "topic name invalid",
        .packetIdentifierInUse: "packet identifier in use",
        .packetIdentifierNotFound: "packet identifier not found",
        .receiveMaximumExceeded: "receive maximum exceeded",
        .topicAliasInvalid: "topic alias invalid", .packetTooLarge: "packet too large",
        .messageRateTooHigh: "message rate too high", .quotaExceeded: "quota exceeded",
        .administrativeAction: "administrative action",
        .payloadFormatInvalid: "payload format invalid",
        .retainNotSupported: "retain not supported", .qosNotSupported: "QoS not supported",
        .useAnotherServer: "use another server", .serverMoved: "server moved",
        .sharedSubscriptionsNotSupported: "shared subscriptions not supported",
        .connectionRateExceeded: "connection rate exceeded",
        .maximumConnectTime: "maximum connect time",
        .subscriptionIdentifiersNotSupported: "subscription identifiers not supported",
        .wildcardSubscriptionsNotSupported: "wildcard subscriptions not supported",
    ]
}
