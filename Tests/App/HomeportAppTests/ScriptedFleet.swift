import Homeport
import HomeportApp
import SharedPresentation
import SimulationPresentation
import Synchronization

/// A fleet of one device: the test says what it answers, and sees what it was asked for.
final class ScriptedFleet: SimulationService {
    /// What it was asked to do.
    enum Request: Hashable, Sendable {
        case inject(FaultOrder, SimulatedPlace)
        case end(FaultName, SimulatedPlace)
    }

    private struct State {
        var place: SimulatedPlace?
        var faults: [PresentFault] = []
        var failure: Failure?
        var requests: [Request] = []
    }

    static let slow = PossibleFault(
        name: FaultName(rawValue: "slow"), kinds: [.poolRobot], effect: "is slow", lasts: true,
        parameters: [FaultParameter(name: "delayMs", unit: "ms", range: 1...600_000, usual: 3000)])
    static let reboot = PossibleFault(
        name: FaultName(rawValue: "reboot"), kinds: [.poolRobot], effect: "starts anew",
        lasts: false, parameters: [])

    private let state = Mutex(State())

    /// From now on it simulates this device; `nil` for none.
    func simulate(_ place: SimulatedPlace?) { state.withLock { $0.place = place } }

    /// From now on every request fails, or succeeds again.
    func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }

    /// What it was asked to do, in order.
    var requests: [Request] { state.withLock(\.requests) }

    // MARK: The service

    func status(of device: SimulatedPlace) async throws(Failure) -> SimulationStatus? {
        let (state, failure) = state.withLock { ($0, $0.failure) }
        if let failure { throw failure }
        guard state.place == device else { return nil }
        return SimulationStatus(
            process: 7, faults: state.faults, possible: [Self.slow, Self.reboot])
    }

    func inject(_ order: FaultOrder, into device: SimulatedPlace) async throws(Failure) {
        try act(.inject(order, device)) {
            $0.append(PresentFault(name: order.fault, settings: order.settings, until: nil))
        }
    }

    func end(_ fault: FaultName, of device: SimulatedPlace) async throws(Failure) {
        try act(.end(fault, device)) { $0.removeAll { $0.name == fault } }
    }

    private func act(
        _ request: Request, _ change: (inout [PresentFault]) -> Void
    ) throws(Failure) {
        let failure = state.withLock { state in
            if state.failure == nil {
                state.requests.append(request)
                change(&state.faults)
            }
            return state.failure
        }
        if let failure { throw failure }
    }
}
