/// The consequence of each reason code for the next attempt: one row per code of MQTT 5 section 2.4 from
/// 0x80 on, one column per packet that can end a connection.
///
/// Codes that the specification does not define for a packet are included, because brokers send them.
enum MQTTReasonTable {
    /// The consequence of a code, by the packet that it came in.
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

    /// The cause for a code in CONNACK; unknown codes count as a broker that refuses for now.
    static func cause(ofRefusal reason: MQTTReasonCode?) -> MQTTDisconnectCause {
        reason.flatMap { rows[$0]?.refusal } ?? .brokerBusy
    }

    /// The cause for a code in DISCONNECT; unknown codes count as a broker that refuses for now.
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
        // While connected this may be an expired token: the next CONNACK shows.
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
