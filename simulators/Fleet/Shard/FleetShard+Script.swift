import DeviceDomain
import DeviceMessages
import DeviceSimulation
import MQTTClient

// What a scenario does to the devices of the shard.
extension FleetShard {
    /// How long the last messages of a device that leaves may take.
    private static let departureLimit = Duration.seconds(5)

    /// Does everything that is due by an instant, each at its own.
    func performScript(dueBy world: Timestamp) {
        while life.isAlive, let due = script.take(dueBy: world) {
            perform(due.event, on: due.index, at: settings.clock.now.showing(due.at))
        }
    }

    /// The timer of the script has fired.
    func scriptIsDue() {
        script.fired()
        guard life.isAlive else { return }
        performScript(dueBy: settings.clock.now.world)
        arm()
    }

    private func perform(_ event: FleetScript.Event, on index: Int, at moment: DeviceMoment) {
        switch event {
        case .fault(let order):
            record.note(order, of: key(of: index), at: moment.world)
            deliver(order.input(at: moment.world), to: index, at: moment)
        case .arrive: arrive(index)
        case .depart: depart(index, at: moment)
        }
    }

    private func arrive(_ index: Int) {
        if life.isStarting, connections.areAllAbsent { limitStart() }
        if connections.arrived(index, isHeld: homes[index].isKeptOffline) { connect(index) }
    }

    private func depart(_ index: Int, at moment: DeviceMoment) {
        switch connections[index].link {
        case .absent, .abandoned, .closed: return
        case .held: break
        case .offline, .online: deliver(.shutDown, to: index, at: moment)
        }
        connections.departed(index)
        // It is released when the device comes again: that would end it before its last messages.
        connections.slots[index].connection?.close(drainingFor: Self.departureLimit) { _ in }
    }
}

// What the assertions of a scenario ask.
extension FleetShard {
    /// How devices stand with the broker.
    func connections(of places: [Int]) -> ConnectionFigures {
        ConnectionFigures(of: places.map { (key(of: $0), connections[$0]) })
    }

    /// What the broker should retain of devices, as they say it now.
    func retainedViews(of places: [Int]) -> [RetainedView] {
        places.compactMap { RetainedView(of: homes[$0], key(of: $0), connections[$0]) }
    }
}
