extension MQTTError.Code {
    /// A simulated network has reset the connection. However often it does, that says nothing of other clients.
    package static let connectionReset = Self(rawValue: "connection-reset")
}

/// What can go wrong with a connection beside what the library reports.
extension MQTTError {
    // MARK: Connecting

    /// The owner started a connection on a loop that was shut down.
    static var loopEnded: MQTTError {
        MQTTError(.closed, "the event loop was shut down: use another one")
    }

    /// `missing` says what had not happened when the time was over.
    static func connectTimeout(
        _ configuration: MQTTConfiguration, _ broker: MQTTBrokerAddress, missing: String
    ) -> MQTTError {
        MQTTError(
            .connectTimeout,
            "\(broker) did not accept the connection within \(configuration.connectTimeout): \(missing)",
            isRetriable: true)
    }

    /// Instead of connecting in plaintext if TLS is configured.
    static func tlsNotPrepared(for broker: MQTTBrokerAddress) -> MQTTError {
        MQTTError(.tlsConfiguration, "TLS to \(broker) is not prepared", isRetriable: true)
    }

    /// `epoll` takes no other descriptor.
    static var socketNotWatched: MQTTError {
        MQTTError(
            .resourcesExhausted,
            "the system cannot watch another socket: raise the descriptor limit", isRetriable: true)
    }

    /// A CONNACK with an error; its meaning depends on the version.
    static func refusal(
        _ libraryCode: Int32, limits: MQTTBrokerLimits, by broker: MQTTBrokerAddress
    ) -> MQTTError {
        let code = UInt8(truncatingIfNeeded: libraryCode)
        let reason =
            code >= 0x80
            ? MQTTReasonCode(rawValue: code) : MQTTReasonCode(version3ConnectCode: code)
        var message = "\(broker) refused the connection: \(reason)"
        if let text = limits.reasonString { message += " (\(text))" }
        message += "; \(limits.serverReference.map { "use \($0)" } ?? reason.advice)"
        var error = MQTTError(
            .connectionRefused, message, reasonCode: reason, libraryCode: Int32(code))
        error.reasonString = limits.reasonString
        error.serverReference = limits.serverReference
        error.isRetriable = MQTTDisconnectCause(error) != .final
        return error
    }

    /// A broker that does not know MQTT 5 may close the connection without CONNACK, as RabbitMQ 3.10 does.
    var suspectingOldBroker: MQTTError {
        guard code == .connectionLost else { return self }
        var error = self
        error.message += "; if the broker does not know MQTT 5, connect with MQTT 3.1.1"
        return error
    }

    /// CONNACK came on a connection that had one.
    static var secondConnack: MQTTError {
        MQTTError(
            .protocolViolation,
            "the broker sent a second CONNACK: report this bug to the broker's developers",
            isRetriable: true)
    }

    /// CONNACK says that a session is present after a CONNECT with Clean Start.
    static func unrequestedSession(at broker: MQTTBrokerAddress) -> MQTTError {
        MQTTError(
            .protocolViolation, "\(broker) resumed a session although a new one was requested",
            isRetriable: true)
    }

    /// CONNACK lacks the Assigned Client Identifier that MQTT 5 requires (section 3.2.2.3.7).
    static func noClientIDAssigned(by broker: MQTTBrokerAddress) -> MQTTError {
        MQTTError(
            .protocolViolation,
            "\(broker) accepted a client without an id and assigned none: configure a client id",
            isRetriable: true)
    }

    // MARK: The end

    /// A simulated network has reset the connection.
    static func resetByNetwork(_ broker: MQTTBrokerAddress) -> MQTTError {
        MQTTError(
            .connectionReset, "the connection to \(broker) was reset by a simulated network",
            isRetriable: true)
    }

    /// The library reported the end with this code; nil if the code says nothing about the reason.
    static func disconnect(
        _ libraryCode: Int32, by broker: @autoclosure () -> MQTTBrokerAddress
    ) -> MQTTError? {
        let code = MosquittoCode(rawValue: libraryCode)
        guard code.reasonCode != nil else { return nil }
        var error = MQTTError(MosquittoResult(code: code), while: "connected to \(broker())")
        error.isRetriable = MQTTDisconnectCause(error) != .final
        return error
    }

    /// Why nothing can be sent in a state without a connection.
    static func unavailable(
        _ state: MQTTConnectionStateMachine.State, _ broker: MQTTBrokerAddress
    ) -> MQTTError {
        switch state {
        case .draining, .lingering:
            MQTTError(.closed, "the connection is being closed: make a new one")
        case .closed:
            MQTTError(.closed, "the connection was closed by its owner: make a new one")
        case .idle, .resolving, .queued, .connecting, .connected, .backingOff, .stopped:
            MQTTError(
                .notConnected,
                "there is no connection to \(broker): wait for it and try again", isRetriable: true)
        }
    }

    /// For what is still outstanding when the owner ends the connection.
    static var closedByOwner: MQTTError {
        MQTTError(.closed, "the connection was closed by its owner: allow more time to drain")
    }

    /// For a message or request that the broker may have received.
    static func lost(because error: MQTTError) -> MQTTError {
        MQTTError(
            .connectionLost, "the connection ended before the broker answered: \(error.message)",
            isRetriable: error.code != .closed)
    }

    /// For a message that was not sent before the connection ended.
    static func unsent(because error: MQTTError) -> MQTTError {
        MQTTError(
            error.code == .closed ? .closed : .notConnected,
            "the connection ended before the message was sent: \(error.message)",
            isRetriable: error.code != .closed)
    }

    // MARK: Acknowledgements

    /// The broker did not answer a ping.
    static func keepAliveTimeout(of broker: MQTTBrokerAddress) -> MQTTError {
        MQTTError(MosquittoResult(code: .keepAlive), while: "connected to \(broker)")
    }

    /// The broker acknowledged nothing for the time that the configuration allows.
    static func acknowledgementTimeout(
        _ configuration: MQTTConfiguration, _ broker: MQTTBrokerAddress
    ) -> MQTTError {
        MQTTError(
            .acknowledgementTimeout,
            "\(broker) acknowledged nothing for \(configuration.acknowledgementTimeout ?? .zero): it may have "
                + "dropped messages; raise its max_queued_messages",
            isRetriable: true)
    }

    /// The owner knows from a later message that an answer was lost.
    static func requestNotAnswered(by broker: MQTTBrokerAddress) -> MQTTError {
        MQTTError(
            .acknowledgementTimeout,
            "\(broker) did not answer a SUBSCRIBE or UNSUBSCRIBE; raise its max_queued_messages",
            isRetriable: true)
    }

    /// The library reused the identifier of a packet that is still unacknowledged after 65,535 others. The
    /// connection is ended before the broker confuses the two.
    static func packetIdentifierReused(
        _ packet: UInt16, at broker: MQTTBrokerAddress
    ) -> MQTTError {
        MQTTError(
            .acknowledgementTimeout,
            "\(broker) did not acknowledge packet \(packet) before its identifier was used again; look for "
                + "the cause in the broker's log",
            isRetriable: true)
    }

    /// The library used an identifier under which the broker's session would discard the message as a
    /// duplicate.
    static func packetIdentifierHeld(_ packet: UInt16, at broker: MQTTBrokerAddress) -> MQTTError {
        MQTTError(
            .acknowledgementTimeout,
            "the session at \(broker) holds an exchange of an earlier connection under packet \(packet), whose "
                + "identifier is due again: the connection is made again and goes on behind it",
            isRetriable: true)
    }

    // MARK: Messages

    /// As many messages as the configuration allows are queued.
    static func outboxFull(_ outstanding: Int) -> MQTTError {
        MQTTError(
            .outboxFull,
            "\(outstanding) messages are already waiting: publish more slowly", isRetriable: true)
    }

    /// The broker does not accept a packet of that size, bytes.
    static func packetTooLarge(
        _ what: String, size: Int, limit: Int, for broker: MQTTBrokerAddress
    ) -> MQTTError {
        MQTTError(
            .packetTooLarge,
            "\(what) takes a packet of \(size) bytes, and \(broker) accepts at most "
                + "\(limit): send less at once, or raise the largest packet of the broker "
                + "(mosquitto: max_packet_size)")
    }

    /// The broker exceeded Maximum Packet Size.
    static func oversizedPacket(
        _ message: MQTTSkippedMessage, from broker: MQTTBrokerAddress
    ) -> MQTTError {
        MQTTError(
            .protocolViolation,
            "\(broker) sent \(message.size) bytes on \(message.topic), although it was told a limit of "
                + "\(message.limit): publish less there, or raise maximumPacketSize",
            isRetriable: true)
    }
}
