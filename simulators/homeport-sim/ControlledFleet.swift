import BoxedDevices
import DeviceDomain
import DeviceMessages
import DeviceSimulation
import Fleet
import LocalServices

/// A running fleet as its control socket sees it.
struct ControlledFleet: Sendable {
    let fleet: Fleet
    /// The broker that its devices use, as `mqtt://host:port`.
    let broker: String
    /// The boxed devices beside it, if there are any.
    let boxed: BoxedFleet?

    /// The whole answer to a request.
    func replies(to request: ControlRequest) async -> [ControlReply] {
        do throws(FaultRefusal) {
            switch request {
            case .status(let target?):
                return devices(try await fleet.statuses(of: target)) + [.done]
            case .status(nil):
                let open = await boxed?.status() ?? []
                return devices(await fleet.statuses()) + open.map { .boxed(BoxedLine($0)) }
                    + [.done]
            case .faults:
                return SimulatedFault.allCases.map { .fault($0.specification) } + [.done]
            case .inject(let target, let fault, let settings, let lasting):
                let order = try FaultOrder(
                    injecting: fault, setting: settings, lasting: lasting)
                return devices(try await fleet.carryOut(order, on: target)) + [.done]
            case .clear(let target, let fault):
                let name = try fault.map { text throws(FaultRefusal) in
                    try SimulatedFault(text: text)
                }
                return devices(try await fleet.carryOut(.clear(name), on: target)) + [.done]
            }
        } catch {
            return [.refused("\(error)")]
        }
    }

    private func devices(_ statuses: [FleetDeviceStatus]) -> [ControlReply] {
        statuses.map { .device(ControlledDevice($0, on: broker)) }
    }
}

extension ControlledDevice {
    fileprivate init(_ status: FleetDeviceStatus, on broker: String) {
        self.init(
            device: "\(status.key)", kind: status.kind, isOnline: status.isOnline,
            activity: status.activity, broker: broker,
            faults: status.faults.map(PresentFault.init))
    }
}

extension PresentFault {
    fileprivate init(_ active: ActiveFault) {
        self.init(
            name: active.fault.name.specification.name, settings: active.fault.settings,
            until: active.end)
    }
}

extension BoxedLine {
    fileprivate init(_ status: BoxedStatus) {
        let label = try? JSONReader.read(Array(status.label.utf8)).object
        self.init(device: status.device, accessPoint: status.accessPoint, label: label ?? [:])
    }
}
