/// A connection of a client, from its start to its end. A class, because every message asks for its number.
final class ClientConnection {
    /// What it does at present.
    private enum Phase {
        /// The broker has not accepted yet. With the failure of the latest attempt.
        case connecting(MQTTError?)
        case connected(MQTTConnectionInfo)
        /// It was lost, and is tried again.
        case reconnecting(MQTTError)
        /// It has failed for good, and must be started again.
        case failed
        /// The owner ends it. With the loss that came before.
        case closing(MQTTError?)
    }

    let connection: MQTTConnection
    /// Distinguishes its events from those of an earlier connection.
    let number: UInt64
    private var phase = Phase.connecting(nil)

    init(_ connection: MQTTConnection, number: UInt64) {
        self.connection = connection
        self.number = number
    }

    /// What the broker said on accepting; nil unless connected.
    var info: MQTTConnectionInfo? {
        if case .connected(let info) = phase { info } else { nil }
    }

    /// The latest failure, unless the broker has accepted since.
    var lastError: MQTTError? {
        switch phase {
        case .connecting(let error), .closing(let error): error
        case .reconnecting(let error): error
        case .connected, .failed: nil
        }
    }

    /// Whether the broker has not accepted since the start.
    var isFirstAttempt: Bool {
        switch phase {
        case .connecting, .failed: true
        case .connected, .reconnecting, .closing: false
        }
    }

    /// Whether it has failed for good. If so, it counts as started again.
    func restartIfFailed() -> Bool {
        guard case .failed = phase else { return false }
        phase = .connecting(nil)
        return true
    }

    func connected(_ info: MQTTConnectionInfo) { phase = .connected(info) }

    func close() { phase = .closing(lastError) }

    /// It was lost, or an attempt failed.
    func lost(_ error: MQTTError, isFinal: Bool) {
        switch phase {
        case _ where isFinal: phase = .failed
        case .connecting, .failed: phase = .connecting(error)
        case .connected, .reconnecting: phase = .reconnecting(error)
        case .closing: phase = .closing(error)
        }
    }
}
