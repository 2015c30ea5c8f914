/// Decides when a change of all connections is worth a line: ready once, then every loss of the
/// broker and every return of all devices.
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

    /// All devices that can be are ready.
    mutating func allReady(_ devices: Int) -> FleetNotice? {
        defer { state = .complete }
        return switch state {
        case .starting: .ready(devices: devices)
        case .complete: nil
        case .unexplained(let reason): .connectionsBroken(reason: reason, devices: devices)
        case .lost: .brokerBack(devices: devices)
        }
    }

    /// The last connection was lost.
    mutating func allLost(_ reason: String) {
        guard case .complete = state else { return }
        state = .unexplained(reason: reason)
    }

    /// An attempt to connect again failed.
    mutating func attemptFailed() -> FleetNotice? {
        guard case .unexplained(let reason) = state else { return nil }
        state = .lost
        return .brokerLost(reason: reason)
    }

    /// Another client took the connections over, which is reported device by device.
    mutating func takenOver() {
        guard case .unexplained = state else { return }
        state = .complete
    }
}
