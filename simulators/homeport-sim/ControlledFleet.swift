import BoxedDevices
import DeviceDomain
import DeviceMessages
import DeviceSimulation
import Fleet
import LocalServices

/// A running fleet as its control socket sees it.
struct ControlledFleet: Sendable {
    let fleet: WholeFleet
    /// The brokers that its devices use.
    let brokers: FleetBrokers
    /// The boxed devices beside it, if there are any.
    let boxed: BoxedFleet?

    /// The whole answer to a request.
    /// - Parameter share: which of the devices get a fault; `nil` for what the request says.
    func replies(
        to request: ControlRequest, _ share: FaultShare? = nil
    ) async -> [ControlReply] {
        do {
            return try await answer(to: request, share) + [.done]
        } catch {
            return [.refused(await reason(of: error, for: request))]
        }
    }

    /// Why a request was refused. A boxed device is none of the fleet's plan.
    private func reason(of error: any Error, for request: ControlRequest) async -> String {
        switch request {
        case .status(let target?), .inject(let target, _, _, _, _), .clear(let target, _, _):
            guard fleet.plan.devices(inScenario: target).isEmpty, let boxed,
                await boxed.hasDevice(named: target)
            else { return "\(error)" }
            return "\(target) is a boxed device: it takes no faults, and 'homeport-sim status' "
                + "lists it while its access point is open only"
        case .status(nil), .faults, .pause, .resume, .step: return "\(error)"
        }
    }

    private func answer(
        to request: ControlRequest, _ share: FaultShare?
    ) async throws -> [ControlReply] {
        switch request {
        case .status(let target?):
            return try await fleet.devices(target, on: brokers).map(ControlReply.device)
        case .status(nil):
            var replies = [ControlReply.world(fleet.world)]
            replies += try await fleet.devices(nil, on: brokers).map(ControlReply.device)
            replies += await (boxed?.status() ?? []).map { .boxed(BoxedLine($0)) }
            return replies
        case .faults: return SimulatedFault.allCases.map { .fault($0.specification) }
        case .inject(let target, let fault, let settings, let lasting, let part):
            let order = try FaultOrder(injecting: fault, setting: settings, lasting: lasting)
            return try await carryOut(
                order, on: target, share ?? FaultShare(part), asking: request)
        case .clear(let target, let fault, let part):
            let name = try fault.map { try SimulatedFault(text: $0) }
            return try await carryOut(
                .clear(name), on: target, share ?? FaultShare(part), asking: request)
        case .pause: try await fleet.pauseWorld()
        case .resume: try await fleet.resumeWorld()
        case .step(let time): try await fleet.stepWorld(time)
        }
        return [.world(fleet.world)]
    }

    private func carryOut(
        _ order: FaultOrder, on target: String, _ share: FaultShare,
        asking request: ControlRequest
    ) async throws -> [ControlReply] {
        try await fleet.carryOut(order, on: target, share, asking: request, on: brokers)
            .map(ControlReply.device)
    }
}

extension BoxedLine {
    fileprivate init(_ status: BoxedStatus) {
        let label = try? JSONReader.read(Array(status.label.utf8)).object
        self.init(device: status.device, accessPoint: status.accessPoint, label: label ?? [:])
    }
}
