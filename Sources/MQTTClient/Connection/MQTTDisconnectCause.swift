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

    /// What every delay for this cause begins with.
    var floor: Duration {
        switch self {
        case .network, .tls, .final: .zero
        case .brokerShutdown: .seconds(1)
        case .brokerBusy, .clientFault: .seconds(5)
        }
    }
}
