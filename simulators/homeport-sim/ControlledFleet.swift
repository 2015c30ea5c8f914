import BoxedDevices
import DeviceDomain
import DeviceMessages
import DeviceSimulation
import Fleet
import FleetControl

/// A running fleet as its control socket sees it.
struct ControlledFleet: Sendable {
    let fleet: Fleet
    /// The boxed devices beside it, if there are any.
    let boxed: BoxedFleet?

    /// The whole answer to a request.
    func replies(to request: ControlRequest) async -> [ControlReply] {
        do throws(FaultRefusal) {
            switch request {
            case .status:
                let open = await boxed?.status() ?? []
                return devices(await fleet.statuses()) + open.map { .boxed(BoxedLine($0)) }
                    + [.done]
            case .inject(let target, let fault, let settings, let lasting):
                let order = try FaultOrder(
                    injecting: fault, setting: settings, lasting: lasting)
                return devices(try await fleet.carryOut(order, on: target)) + [.done]
            case .clear(let target, let fault):
                let name = try fault.map { text throws(FaultRefusal) in try FaultName(text: text) }
                return devices(try await fleet.carryOut(.clear(name), on: target)) + [.done]
            }
        } catch {
            return [.refused("\(error)")]
        }
    }

    private func devices(_ statuses: [FleetDeviceStatus]) -> [ControlReply] {
        statuses.map { .device(ControlledDevice($0)) }
    }
}

extension ControlledDevice {
    fileprivate init(_ status: FleetDeviceStatus) {
        self.init(
            device: "\(status.key)", kind: status.kind, isOnline: status.isOnline,
            activity: status.activity, faults: status.faults.map(ControlledFault.init))
    }
}

extension ControlledFault {
    fileprivate init(_ active: ActiveFault) {
        self.init(
            fault: active.fault.name.rawValue,
            settings: active.fault.settings.mapValues(JSONValue.number), until: active.end)
    }
}

extension BoxedLine {
    fileprivate init(_ status: BoxedStatus) {
        let label = try? JSONReader.read(Array(status.label.utf8)).object
        self.init(device: status.device, accessPoint: status.accessPoint, label: label ?? [:])
    }
}
