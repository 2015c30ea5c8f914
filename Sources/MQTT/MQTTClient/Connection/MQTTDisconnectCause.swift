/// The kinds of failures, by their consequence for the next attempt.
enum MQTTDisconnectCause: Hashable {
    /// Network failure, absent broker or silence: retry with jitter.
    case network
    /// The broker runs but is overloaded or refuses: retry after a longer pause.
    case brokerBusy
    /// The broker is shutting down.
    case brokerShutdown
    /// This client violated a rule of the broker: retry once, then stop.
    case clientFault
    /// TLS failed: retry, with long pauses if it keeps failing, which suggests a wrong certificate.
    case tls
    /// A retry cannot help.
    case final

    init(_ error: MQTTError) {
        switch error.code {
        case .connectionRefused: self = MQTTReasonTable.cause(ofRefusal: error.reasonCode)
        case .serverDisconnected: self = MQTTReasonTable.cause(ofDisconnect: error.reasonCode)
        case .sessionTakenOver, .invalidArgument, .unsupported, .closed, .tlsConfiguration,
            .insecureConnection:
            self = .final
        case .tlsFailed: self = .tls
        case .packetTooLarge: self = .clientFault
        default: self = .network
        }
    }

    /// The minimum delay for this cause.
    var floor: Duration {
        switch self {
        case .network, .tls, .final: .zero
        case .brokerShutdown: .seconds(1)
        case .brokerBusy, .clientFault: .seconds(5)
        }
    }
}
