package import Connectivity
package import MQTTClient

extension CommunicationError {
    /// Translates an error of the MQTT client.
    package init(_ error: MQTTError) {
        self.init(
            Self.code(of: error), error.message,
            certainty: error.provesNothingLeft ? .neverLeft : .mayHaveLeft,
            isRetriable: error.isRetriable, isCuredByCredentials: error.isCuredByCredentials)
    }

    private static func code(of error: MQTTError) -> Code {
        switch error.code {
        case .notConnected: .notConnected
        case .connectionLost, .keepAliveTimeout, .serverDisconnected: .linkLost
        case .connectTimeout, .cancelled: .timedOut
        case .outboxFull, .resourcesExhausted: .overloaded
        case .closed: .closed
        case .subscriptionRefused: .notPermitted
        case .connectionRefused, .publishRefused: refusal(error.reasonCode)
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
        case .unsupportedProtocolVersion: .otherVersion
        case .clientIdentifierNotValid: .protocolViolation
        default: .unreachable
        }
    }
}

extension MQTTError {
    /// Whether the broker asks for a user name and password, or for others.
    fileprivate var isCuredByCredentials: Bool {
        code == .connectionRefused
            && (reasonCode == .badUserNameOrPassword || reasonCode == .notAuthorized)
    }
}

extension ReplayCompleteness {
    /// The fence did not come back in time.
    package static let fenceTimeout = Self.incomplete("timed out waiting for retained messages")
}

extension LinkState {
    /// Translates the state of an MQTT link.
    fileprivate init(_ state: MQTTLinkState) {
        switch state {
        case .connecting: self = .connecting
        case .connected: self = .connected
        case .limited(let refused): self = .limited(.refused(refused))
        case .lost(let error, let delay): self = .lost(CommunicationError(error), retryIn: delay)
        }
    }
}

extension CommunicationError {
    private static func refusedList(_ refused: [MQTTTopicFilter: MQTTReasonCode]) -> String {
        refused.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
    }

    fileprivate static func refused(
        _ refused: [MQTTTopicFilter: MQTTReasonCode]
    ) -> CommunicationError {
        CommunicationError(
            .notPermitted,
            "the broker refused the subscription to \(refusedList(refused)): "
                + Set(refused.values.map(\.subscriptionRemedy)).sorted().joined(separator: "; "),
            certainty: .neverLeft)
    }
}

extension MQTTLink {
    /// The link's state now and its changes. For a slow consumer the newest 16 are kept.
    package nonisolated func linkStates() -> LinkStates {
        let (stream, source) = LinkStates.make(.dropOldest(limit: 16))
        observeStates { state in
            guard let state else {
                source.finish()
                return false
            }
            return source.send(LinkState(state))
        }
        return stream
    }
}
