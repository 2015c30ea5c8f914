internal import DeviceDomain
internal import Observation
internal import SharedPresentation

/// What fleets have said of the devices that they simulate.
@MainActor @Observable
final class SimulationMemory {
    private(set) var states: [DeviceID: ScreenState<SimulationStatus>] = [:]
    @ObservationIgnored private var asked = 0
    @ObservationIgnored private var heard: [DeviceID: Int] = [:]

    /// A question begins.
    /// - Returns: its number, for the answer.
    func ask() -> Int {
        asked += 1
        return asked
    }

    /// The answer to a question came; it is dropped where a later question was answered before.
    func hear(_ state: ScreenState<SimulationStatus>?, of device: DeviceID, to question: Int) {
        guard question > heard[device, default: 0] else { return }
        heard[device] = state == nil ? nil : question
        if states[device] != state { states[device] = state }
    }
}
