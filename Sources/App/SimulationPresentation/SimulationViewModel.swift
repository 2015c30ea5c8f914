public import DeviceDomain
public import Observation
public import SharedPresentation

/// The simulation of one device: the faults that it has, and those that it can be given.
@MainActor @Observable
public final class SimulationViewModel {
    /// Names the device.
    public let device: DeviceID
    /// Why the last thing that the user did could not be done; `nil` where it could.
    public private(set) var failure: Failure?
    private var begun: [FaultName: FaultForm] = [:]
    @ObservationIgnored private let memory: SimulationMemory
    @ObservationIgnored private let home: HomeMemory
    @ObservationIgnored private let service: any SimulationService

    init(
        _ device: DeviceID, in memory: SimulationMemory, of home: HomeMemory,
        asking service: any SimulationService
    ) {
        self.device = device
        self.memory = memory
        self.home = home
        self.service = service
    }

    /// What the screen shows; empty for a device that no fleet of this machine simulates.
    public var state: ScreenState<SimulationStatus> { memory.states[device] ?? .loading }

    /// A form for every fault that the device can have.
    public var forms: [FaultForm] {
        (state.content?.possible ?? []).map { fault in
            guard let form = begun[fault.name], form.fault == fault else { return FaultForm(fault) }
            return form
        }
    }

    /// The screen has appeared: the fleet is asked.
    public func appeared() async { await readAgain() }

    /// The fleet is asked again, as others may have given the device a fault.
    public func readAgain() async {
        let question = memory.ask()
        guard let place else { return memory.hear(nil, of: device, to: question) }
        let isSimulated = isSimulated
        do throws(Failure) {
            let status = try await service.status(of: place)
            memory.hear(status.map { .content($0) } ?? .empty, of: device, to: question)
        } catch {
            // A fleet that does not answer may be that of any device.
            memory.hear(isSimulated ? .failed(error) : .empty, of: device, to: question)
        }
    }

    /// Something was entered into a field of a fault's form.
    public func fieldChanged(_ field: String, of fault: FaultName, to text: String) {
        guard var form = form(fault) else { return }
        form.fieldChanged(field, to: text)
        begun[fault] = form
    }

    /// A fault is to happen, with what was entered into its form.
    /// - Returns: whether it happens.
    @discardableResult
    public func injectButtonTapped(_ fault: FaultName) async -> Bool {
        guard var form = form(fault) else {
            failure = Failure(
                "\(device) cannot have the fault \(fault.rawValue)", .lookAgain, code: "no-fault")
            return false
        }
        let order = form.order()
        begun[fault] = form
        guard let order else { return false }
        let isDone = await attempt { place throws(Failure) in
            try await service.inject(order, into: place)
        }
        if isDone { begun[fault] = nil }
        return isDone
    }

    /// A fault is to end.
    public func endButtonTapped(_ fault: FaultName) async {
        await attempt { place throws(Failure) in try await service.end(fault, of: place) }
    }

    /// Whether a fleet has said that it simulates the device.
    private var isSimulated: Bool {
        switch state {
        case .content, .failed: true
        case .empty, .loading: false
        }
    }

    /// The form of one fault; `nil` where the device cannot have it.
    public func form(_ fault: FaultName) -> FaultForm? {
        forms.first { $0.fault.name == fault }
    }

    /// Where the device is; `nil` while nothing is known of it.
    private var place: SimulatedPlace? {
        home.devices[device].map {
            SimulatedPlace(
                home: home.service.id, device: device, broker: home.service.address(of: $0.channel))
        }
    }

    /// Asks the fleet for something, then how the device stands.
    /// - Returns: whether it did it.
    @discardableResult
    private func attempt(_ act: (SimulatedPlace) async throws(Failure) -> Void) async -> Bool {
        failure = nil
        guard let place else { return false }
        do throws(Failure) {
            try await act(place)
        } catch {
            failure = error
        }
        await readAgain()
        return failure == nil
    }
}
