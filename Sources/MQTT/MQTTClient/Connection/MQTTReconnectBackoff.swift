internal import Basics

/// Decides after each failure whether and when to reconnect. A value type without a clock; random numbers
/// come from the caller.
struct MQTTReconnectBackoff {
    /// What to do about a failure.
    enum Decision {
        /// Reconnect after a delay; the error may be more specific than the original one.
        case retry(MQTTError, after: Duration)
        /// Do not reconnect.
        case stop(MQTTError)
    }

    /// A connection that is closed within this time after CONNACK suggests a duplicate client id.
    static let suspiciousUptime = Duration.seconds(10)
    /// After this many such closes in a row a likely duplicate client id is reported.
    static let suspiciousCloses = 3

    /// After this many TLS failures in a row the cap is added to every delay.
    static let patientTLSFailures = 3

    let policy: MQTTReconnectPolicy
    /// Nil if no other client can use the id: then a duplicate is never reported.
    let clientID: String?
    private(set) var failures = 0
    private(set) var earlyCloses = 0
    private var clientFaults = 0
    private var tlsFailures = 0
    /// Where the delays of a policy with a seed come from.
    private var sequence = SeededGenerator(seed: 0)

    init(policy: MQTTReconnectPolicy, clientID: String?) {
        self.policy = policy
        self.clientID = clientID
        if case .jittered(let seed) = policy.delays { sequence = SeededGenerator(seed: seed) }
    }

    /// `uptime` is the time from CONNACK to the failure, nil if there was no CONNACK.
    mutating func decide(
        after error: MQTTError, uptime: Duration?,
        using generator: inout some RandomNumberGenerator
    ) -> Decision {
        if let uptime, uptime >= policy.stableAfter { forgetFailures() }
        let cause = MQTTDisconnectCause(error)
        clientFaults = cause == .clientFault ? clientFaults + 1 : 0
        tlsFailures = cause == .tls ? tlsFailures + 1 : 0
        let isFinal =
            cause == .final && !(policy.outlivesTakeovers && error.code == .sessionTakenOver)
        guard policy.isEnabled, !isFinal, clientFaults < 2 else { return .stop(error) }
        countEarlyClose(error, uptime: uptime)
        let delay = delay(
            after: cause, isBreak: uptime != nil && failures == 0, using: &generator)
        failures += 1
        // If the attempt was not accepted, its own error is more useful.
        let isSuspicious = uptime != nil && duplicateFloor > .zero
        return .retry(isSuspicious ? suspicion(about: error) : error, after: delay)
    }

    private mutating func forgetFailures() {
        let sequence = sequence
        self = Self(policy: policy, clientID: clientID)
        self.sequence = sequence
    }

    private mutating func countEarlyClose(_ error: MQTTError, uptime: Duration?) {
        guard let uptime else {
            // Nobody listens, so the broker is restarting, which also explains the earlier closes.
            if error.code == .unreachable { earlyCloses = 0 }
            return
        }
        let isSuspicious =
            clientID != nil && error.code == .connectionLost && uptime < Self.suspiciousUptime
        earlyCloses = isSuspicious ? earlyCloses + 1 : 0
    }

    /// Grows with every close, so that two clients with one id stop displacing each other quickly.
    private var duplicateFloor: Duration {
        guard earlyCloses >= Self.suspiciousCloses else { return .zero }
        return min(policy.cap, .seconds(5) * (earlyCloses - Self.suspiciousCloses + 1))
    }

    private var tlsFloor: Duration {
        tlsFailures >= Self.patientTLSFailures ? policy.cap : .zero
    }

    private mutating func delay(
        after cause: MQTTDisconnectCause, isBreak: Bool,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let backoff = Backoff(first: policy.initial, longest: policy.cap)
        switch policy.delays {
        case .considerate:
            let floor = max(cause.floor, tlsFloor, duplicateFloor)
            let spread = isBreak ? policy.spread : .zero
            let limit = min(policy.cap, max(spread, backoff.wait(after: failures)))
            return floor + Backoff.jittered(limit, using: &generator)
        case .fixed: return policy.initial
        case .doubling: return backoff.wait(after: failures)
        case .jittered: return backoff.jitteredWait(after: failures, using: &sequence)
        }
    }

    private func suspicion(about error: MQTTError) -> MQTTError {
        var suspicion = error
        suspicion.code = .likelyDuplicateClientID
        suspicion.message =
            "the broker closed the connection \(earlyCloses) times within seconds of accepting it: "
            + "probably another client uses the id \"\(clientID ?? "")\"; give each client its own"
        return suspicion
    }
}
