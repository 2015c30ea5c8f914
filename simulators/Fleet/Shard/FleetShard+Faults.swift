import DeviceDomain
import DeviceSimulation
import MQTTClient

// Faults of devices, and what they ask of the shard.
extension FleetShard {
    /// Every device at this moment.
    var statuses: [FleetDeviceStatus] { plan.indices.map(status) }

    /// The devices that are meant, at this moment.
    /// - Throws: `FaultRefusal`.
    func statuses(of target: String) throws(FaultRefusal) -> [FleetDeviceStatus] {
        try places(of: target, ableToHave: nil).map(status)
    }

    private func places(
        of target: String, ableToHave fault: SimulatedFault?
    ) throws(FaultRefusal) -> [Int] {
        try FaultTarget(text: target).places(
            among: plan.map(FaultTarget.Candidate.init), ableToHave: fault)
    }

    /// Lets something happen to the devices that are meant, or to none.
    /// - Parameter share: which of them get it.
    /// - Returns: these devices afterwards.
    /// - Throws: `FaultRefusal`.
    func carryOut(
        _ order: FaultOrder, on target: String, _ share: FaultShare = .all
    ) throws(FaultRefusal) -> [FleetDeviceStatus] {
        guard life.isAlive else { throw FaultRefusal("this fleet is ending; start another") }
        let meant = try places(of: target, ableToHave: order.name)
        let places = share.places(
            of: meant, among: plan.map(FaultTarget.Candidate.init), order, on: target)
        for place in places where life.isAlive {
            let world = settings.clock.now.world
            record.note(order, of: key(of: place), at: world)
            deliver(order.input(at: world), to: place)
        }
        guard life.isAlive else { throw FaultRefusal("the fleet ended; its last line says why") }
        return places.map(status)
    }

    private func status(of place: Int) -> FleetDeviceStatus {
        let (slot, device) = (connections.slots[place], homes[place])
        return FleetDeviceStatus(
            key: slot.key, kind: slot.kind, isOnline: connections[place].link == .online,
            activity: device.activityName, faults: device.faults.all)
    }

    /// Connects a device whose connection was dropped.
    func reconnect(_ index: Int) {
        if life.isAlive, connections.release(index) { connect(index) }
    }

    /// Starts a device anew, as after a loss of its power: what it had recorded is all that is left.
    func restart(_ index: Int) {
        connections.hold(index)
        let former = homes[index]
        do throws(FleetError) {
            let moment = homes.restartMoment(of: index, at: settings.clock.now)
            let device = try journal.reboot(
                plan[index], settings, having: former.faults, at: moment)
            homes.replace(index, with: device)
            compactJournal()
        } catch { return breakOff(error) }
        connections.restarted(index)
        if !former.isKeptOffline { reconnect(index) }
    }
}
