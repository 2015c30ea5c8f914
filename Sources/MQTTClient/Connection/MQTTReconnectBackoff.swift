/// Decides, failure by failure, whether and when to connect again. A value: no clock, its random
/// numbers come from outside.
struct MQTTReconnectBackoff {
    /// What to do about a failure.
    enum Decision {
        /// Connect again after a delay; the error may say more than the one that came in.
        case retry(MQTTError, after: Duration)
        /// Do not connect again.
        case stop(MQTTError)
    }

    /// A connection closed sooner than this after CONNACK counts towards a duplicate client id.
    static let suspiciousUptime = Duration.seconds(10)
    /// So many suspicious closes in a row are reported as a likely duplicate client id.
    static let suspiciousCloses = 3

    /// After so many TLS failures in a row every delay begins with the cap.
    static let patientTLSFailures = 3

    let policy: MQTTReconnectPolicy
    /// Nil where no other client can use the id: then none is suspected.
    let clientID: String?
    private(set) var failures = 0
    private(set) var earlyCloses = 0
    private var clientFaults = 0
    private var tlsFailures = 0

    init(policy: MQTTReconnectPolicy, clientID: String?) {
        self.policy = policy
        self.clientID = clientID
    }

    /// `uptime` is how long the connection had held since CONNACK, nil if there was none.
    mutating func decide(
        after error: MQTTError, uptime: Duration?,
        using generator: inout some RandomNumberGenerator
    ) -> Decision {
        if let uptime, uptime >= policy.stableAfter {
            self = Self(policy: policy, clientID: clientID)
        }
        let cause = MQTTDisconnectCause(error)
        clientFaults = cause == .clientFault ? clientFaults + 1 : 0
        tlsFailures = cause == .tls ? tlsFailures + 1 : 0
        guard policy.isEnabled, cause != .final, clientFaults < 2 else { return .stop(error) }
        countEarlyClose(error, uptime: uptime)
        let floor = max(cause.floor, tlsFloor, duplicateFloor)
        let isBreak = uptime != nil && failures == 0
        let delay = floor + jitter(spread: isBreak ? policy.spread : .zero, using: &generator)
        failures += 1
        // Of an attempt that was not accepted its own error says more.
        let isSuspicious = uptime != nil && duplicateFloor > .zero
        return .retry(isSuspicious ? suspicion(about: error) : error, after: delay)
    }

    private mutating func countEarlyClose(_ error: MQTTError, uptime: Duration?) {
        guard let uptime else {
            // Where nobody listens the broker was away: it closed the connections before, too.
            if error.code == .unreachable { earlyCloses = 0 }
            return
        }
        let isSuspicious =
            clientID != nil && error.code == .connectionLost && uptime < Self.suspiciousUptime
        earlyCloses = isSuspicious ? earlyCloses + 1 : 0
    }

    /// Grows with every close so that two clients with one id drift apart instead of fighting.
    private var duplicateFloor: Duration {
        guard earlyCloses >= Self.suspiciousCloses else { return .zero }
        return min(policy.cap, .seconds(5) * (earlyCloses - Self.suspiciousCloses + 1))
    }

    private var tlsFloor: Duration {
        tlsFailures >= Self.patientTLSFailures ? policy.cap : .zero
    }

    private func jitter(
        spread: Duration, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        // Bounded before, too: it may be the longest time that there is.
        let initial = min(policy.initial, policy.cap, .seconds(UInt32.max))
        let bound = min(policy.cap, max(spread, initial * (1 << min(failures, 20))))
        let nanoseconds = bound.wholeNanoseconds
        return .nanoseconds(Int64(clamping: UInt64.random(in: 0...nanoseconds, using: &generator)))
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
