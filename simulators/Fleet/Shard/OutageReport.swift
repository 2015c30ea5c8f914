/// Decides when a change of all connections to one broker is worth a line: every loss of the broker and every return
/// of all its devices, once they all were there.
///
/// That all connections are gone does not say why: a second simulator of the same homes takes them
/// over in one go, too. The loss is reported once an attempt to come back has failed; by then a
/// takeover would have been noticed.
struct OutageReport {
    private enum State {
        case starting
        case complete
        /// All connections are gone, for this reason; no attempt to come back has ended yet.
        case unexplained(reason: String)
        case lost
    }

    private var state = State.starting

    /// All devices of the broker are ready.
    /// - Parameter broker: its name, where it has to be told from others.
    mutating func allReady(_ devices: Int, of broker: String?) -> FleetNotice? {
        defer { state = .complete }
        return switch state {
        case .starting, .complete: nil
        case .unexplained(let reason):
            .connectionsBroken(broker: broker, reason: reason, devices: devices)
        case .lost: .brokerBack(broker: broker, devices: devices)
        }
    }

    /// The last connection was lost.
    mutating func allLost(_ reason: String) {
        guard case .complete = state else { return }
        state = .unexplained(reason: reason)
    }

    /// An attempt to connect again failed.
    /// - Parameter broker: the name of the broker, where it has to be told from others.
    mutating func attemptFailed(at broker: String?) -> FleetNotice? {
        guard case .unexplained(let reason) = state else { return nil }
        state = .lost
        return .brokerLost(broker: broker, reason: reason)
    }

    /// Another client took the connections over, which is reported device by device.
    mutating func takenOver() {
        guard case .unexplained = state else { return }
        state = .complete
    }
}
