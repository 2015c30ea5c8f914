import DeviceDomain
import SharedPresentation
import SimulationPresentation
import Synchronization

/// A fleet that simulates `sweeper-1`: the test says what fails.
final class FakeFleet: SimulationService {
    private struct State {
        var faults: [PresentFault] = []
        var failure: Failure?
    }

    static let slow = PossibleFault(
        name: FaultName(rawValue: "slow"), kinds: [.poolRobot], effect: "sends <b>late</b>",
        lasts: true,
        parameters: [FaultParameter(name: "delayMs", unit: "ms", range: 1...600_000, usual: 3000)])

    private let state = Mutex(State())

    /// From now on every order fails, or succeeds again.
    func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }

    func status(of device: SimulatedPlace) async throws(Failure) -> SimulationStatus? {
        guard device.device.text == "sweeper-1" else { return nil }
        let faults = state.withLock(\.faults)
        return SimulationStatus(process: 7, faults: faults, possible: [Self.slow])
    }

    func inject(_ order: FaultOrder, into device: SimulatedPlace) async throws(Failure) {
        try change {
            $0 = [PresentFault(name: order.fault, settings: order.settings, until: nil)]
        }
    }

    func end(_ fault: FaultName, of device: SimulatedPlace) async throws(Failure) {
        try change { $0 = [] }
    }

    private func change(_ change: (inout [PresentFault]) -> Void) throws(Failure) {
        let failure = state.withLock { state in
            if state.failure == nil { change(&state.faults) }
            return state.failure
        }
        if let failure { throw failure }
    }
}
