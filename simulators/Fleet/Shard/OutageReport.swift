/// Decides when a change of all connections is worth a line: ready once, then every loss of the
/// broker and every return of all devices.
struct OutageReport {
    private enum State {
        case starting
        case complete
        case lost
    }

    private var state = State.starting

    /// All devices that can be are ready.
    mutating func allReady(_ devices: Int) -> FleetNotice? {
        defer { state = .complete }
        return switch state {
        case .starting: .ready(devices: devices)
        case .complete: nil
        case .lost: .brokerBack(devices: devices)
        }
    }

    /// A device lost its connection for a reason that others share.
    mutating func lost(_ reason: String) -> FleetNotice? {
        switch state {
        case .starting, .lost: return nil
        case .complete:
            state = .lost
            return .brokerLost(reason: reason)
        }
    }
}
