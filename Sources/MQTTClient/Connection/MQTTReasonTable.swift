/// What each reason of a broker means for the next attempt: one row per code of MQTT 5 section 2.4 from
/// 0x80 on, one column per packet that can end a connection.
///
/// A code that the specification does not define for a packet is in the table too: brokers send them.
enum MQTTReasonTable {
    /// What follows from a code, by the packet it came in.
    struct Row: Hashable {
        /// In CONNACK: the connection was not accepted.
        var refusal: MQTTDisconnectCause
        /// In DISCONNECT: the connection had been accepted.
        var disconnect: MQTTDisconnectCause

        fileprivate init(
            _ refusal: MQTTDisconnectCause, _ disconnect: MQTTDisconnectCause
        ) {
            self.refusal = refusal
            self.disconnect = disconnect
        }

        fileprivate init(_ both: MQTTDisconnectCause) {
            self.init(both, both)
        }
    }

    /// The meaning of a code in CONNACK; an unknown one is a broker that is up but unwilling.
    static func cause(ofRefusal reason: MQTTReasonCode?) -> MQTTDisconnectCause {
        reason.flatMap { rows[$0]?.refusal } ?? .brokerBusy
    }

    /// The meaning of a code in DISCONNECT; an unknown one is a broker that is up but unwilling.
    static func cause(ofDisconnect reason: MQTTReasonCode?) -> MQTTDisconnectCause {
        reason.flatMap { rows[$0]?.disconnect } ?? .brokerBusy
    }

    static let rows: [MQTTReasonCode: Row] = [
        .unspecifiedError: Row(.brokerBusy),
        .malformedPacket: Row(.clientFault),
        .protocolError: Row(.clientFault),
        .implementationSpecificError: Row(.brokerBusy),
        .unsupportedProtocolVersion: Row(.final),
        .clientIdentifierNotValid: Row(.final),
        .badUserNameOrPassword: Row(.final),
        // While connected it may be a token that has run out: the next CONNACK decides.
        .notAuthorized: Row(.final, .clientFault),
        .serverUnavailable: Row(.brokerBusy),
        .serverBusy: Row(.brokerBusy),
        .banned: Row(.final),
        .serverShuttingDown: Row(.brokerShutdown),
        .badAuthenticationMethod: Row(.final),
        .keepAliveTimeout: Row(.network),
        .sessionTakenOver: Row(.final),
        .topicFilterInvalid: Row(.clientFault),
        .topicNameInvalid: Row(.clientFault),
        .packetIdentifierInUse: Row(.clientFault),
        .packetIdentifierNotFound: Row(.clientFault),
        .receiveMaximumExceeded: Row(.clientFault),
        .topicAliasInvalid: Row(.clientFault),
        .packetTooLarge: Row(.clientFault),
        .messageRateTooHigh: Row(.brokerBusy),
        .quotaExceeded: Row(.brokerBusy),
        .administrativeAction: Row(.brokerShutdown),
        .payloadFormatInvalid: Row(.clientFault),
        .retainNotSupported: Row(.clientFault),
        .qosNotSupported: Row(.clientFault),
        .useAnotherServer: Row(.final),
        .serverMoved: Row(.final),
        .sharedSubscriptionsNotSupported: Row(.clientFault),
        .connectionRateExceeded: Row(.brokerBusy),
        .maximumConnectTime: Row(.network),
        .subscriptionIdentifiersNotSupported: Row(.clientFault),
        .wildcardSubscriptionsNotSupported: Row(.clientFault),
    ]
}
