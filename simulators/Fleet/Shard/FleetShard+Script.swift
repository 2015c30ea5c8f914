import DeviceDomain
import DeviceMessages
import DeviceSimulation
import MQTTClient

// What a scenario does to the devices of the shard.
extension FleetShard {
    /// How long the last messages of a device that leaves may take.
    private static let departureLimit = Duration.seconds(5)

    /// Does everything that is due by an instant, each at its own.
    func performScript(dueBy now: DeviceMoment) {
        while life.isAlive, let due = script.take(dueBy: now.world) {
            perform(due, at: settings.clock.now)
        }
    }

    /// The timer of the script has fired.
    func scriptIsDue() {
        script.fired()
        guard life.isAlive else { return }
        performScript(dueBy: settings.clock.now)
        arm()
    }

    private func perform(_ due: ShardScript.Due, at now: DeviceMoment) {
        switch due.event {
        case .fault(let order):
            record.note(order, of: key(of: due.index), at: due.at)
            deliver(
                order.input(at: due.at), to: due.index, at: now.showing(due.at), seenAt: now)
        case .arrive: arrive(due.index)
        case .depart: depart(due, at: now)
        }
    }

    private func arrive(_ index: Int) {
        if life.isStarting, connections.areAllAbsent { limitStart() }
        if connections.arrived(index, isHeld: homes[index].isKeptOffline) { connect(index) }
    }

    private func depart(_ due: ShardScript.Due, at now: DeviceMoment) {
        let index = due.index
        switch connections[index].link {
        case .absent, .abandoned, .closed: return
        case .held: break
        case .offline, .online:
            deliver(.shutDown, to: index, at: now.showing(due.at), seenAt: now)
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
