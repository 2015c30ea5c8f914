internal import Connectivity
internal import MQTTClient

extension CommunicationError {
    /// The client's error in the words of the channel.
    init(_ error: MQTTError) {
        self.init(
            Self.code(of: error), error.message, underlying: nil, isRetriable: error.isRetriable)
    }

    private static func code(of error: MQTTError) -> Code {
        switch error.code {
        case .notConnected: .notConnected
        case .connectionLost, .keepAliveTimeout, .serverDisconnected: .linkLost
        case .connectTimeout, .cancelled: .timedOut
        case .outboxFull, .resourcesExhausted: .overloaded
        case .closed: .closed
        case .connectionRefused, .subscriptionRefused, .publishRefused: refusal(error.reasonCode)
        case .tlsFailed, .tlsConfiguration, .insecureConnection: .tlsRefused
        case .protocolViolation, .unsupported, .packetTooLarge, .invalidArgument:
            .protocolViolation
        default: .unreachable
        }
    }

    private static func refusal(_ reason: MQTTReasonCode?) -> Code {
        switch reason {
        case .badUserNameOrPassword, .notAuthorized, .badAuthenticationMethod, .banned:
            .credentialsRefused
        case .unsupportedProtocolVersion, .clientIdentifierNotValid: .protocolViolation
        default: .unreachable
        }
    }

    /// The waiting task was cancelled; what it waited for may still happen.
    static let waitCancelled = CommunicationError(
        .timedOut, "the wait for the broker's answer was cancelled", isRetriable: true)

    /// There is no connection at present.
    static let noConnection = CommunicationError(
        .notConnected, "there is no connection to the broker at present", isRetriable: true)

    /// The channel was closed.
    static let channelClosed = CommunicationError(.closed, "the channel was closed")
}
