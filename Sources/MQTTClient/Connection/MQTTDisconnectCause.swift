/// How the end of a connection bears on the next attempt.
enum MQTTDisconnectCause: Hashable {
    /// The network, a broker that is away, silence: try again with jitter.
    case network
    /// The broker is up but overloaded or unwilling: leave it alone for a while.
    case brokerBusy
    /// The broker is going down on purpose.
    case brokerShutdown
    /// This client broke a rule of the broker: once more, then stop.
    case clientFault
    /// TLS failed: once may be chance, again and again is a certificate that somebody must change.
    case tls
    /// Trying again cannot help.
    case final

    init(_ error: MQTTError) {
        switch error.code {
        case .connectionRefused: self = Self.refused(error.reasonCode)
        case .serverDisconnected: self = Self.disconnected(error.reasonCode)
        case .sessionTakenOver, .invalidArgument, .unsupported, .closed, .tlsConfiguration,
            .insecureConnection:
            self = .final
        case .tlsFailed: self = .tls
        case .packetTooLarge: self = .clientFault
        default: self = .network
        }
    }

    private static func refused(_ reason: MQTTReasonCode?) -> Self {
        switch reason {
        case .unsupportedProtocolVersion, .clientIdentifierNotValid, .badUserNameOrPassword,
            .notAuthorized, .banned, .badAuthenticationMethod, .useAnotherServer, .serverMoved:
            .final
        case .topicNameInvalid, .packetTooLarge, .payloadFormatInvalid, .retainNotSupported,
            .qosNotSupported, .malformedPacket, .protocolError:
            .clientFault
        default: .brokerBusy
        }
    }

    private static func disconnected(_ reason: MQTTReasonCode?) -> Self {
        switch reason {
        case .sessionTakenOver, .useAnotherServer, .serverMoved, .banned: .final
        case .serverShuttingDown, .administrativeAction: .brokerShutdown
        case .keepAliveTimeout, .maximumConnectTime: .network
        case .receiveMaximumExceeded, .topicAliasInvalid, .packetTooLarge, .payloadFormatInvalid,
            .retainNotSupported, .qosNotSupported, .malformedPacket, .protocolError:
            .clientFault
        default: .brokerBusy
        }
    }

    /// What every delay for this cause begins with.
    var floor: Duration {
        switch self {
        case .network, .tls, .final: .zero
        case .brokerShutdown: .seconds(1)
        case .brokerBusy, .clientFault: .seconds(5)
        }
    }
}
