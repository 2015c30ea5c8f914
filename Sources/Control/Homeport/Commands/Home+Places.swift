public import DeviceControl
internal import MQTTClient

extension Home {
    /// The commands of this controller that are open or unknown and were meant for another broker than the
    /// home's, newest first. They are neither sent nor asked about here. It needs no connection.
    /// - Throws: ``HomeError`` `ledger`.
    public func commandsElsewhere() async throws(HomeError) -> [CommandRecord] {
        let control = try await openedControl()
        do {
            return try await control.moving.elsewhere(of: controller, in: id)
        } catch {
            throw HomeError(error)
        }
    }

    /// Says that the home has moved: what is open or unknown and was meant for another broker belongs to this
    /// home's from now on. It needs no connection.
    /// - Returns: those commands, as they stand after that.
    /// - Throws: ``HomeError`` `ledger`.
    @discardableResult
    public func moveCommandsHere() async throws(HomeError) -> [CommandRecord] {
        let control = try await openedControl()
        do {
            return try await control.moving.moveHere(of: controller, in: id)
        } catch {
            throw HomeError(error)
        }
    }

    /// Refuses to ask a device about a command that another one of the same name was sent.
    func requireHere(_ record: CommandRecord) throws(HomeError) {
        let places = CommandPlaces(of: stations.map(\.setup))
        guard let place = record.place, !places.include(place) else { return }
        throw HomeError(
            .foreignCommand,
            "\(record.id) was meant for \(place), and this is \(address): name that broker, or say that the "
                + "home has moved here ('homeport queue --moved')")
    }
}

extension CommandPlaces {
    /// Where channels lead now.
    init(of setups: [ChannelSetup]) {
        self.init()
        for setup in setups {
            guard let connection = setup.connection else { continue }
            let locator = connection.locator
            let brokers = Set((locator?.privateBrokers ?? []).map(\.uniform))
            running.formUnion(brokers.map { Place(broker: $0, isPrivate: true) })
            let broker = connection.latestBroker.uniform
            let isPrivate = brokers.contains(broker) || (locator?.followsMeetingPoint ?? false)
            here[setup.id] = Place(broker: broker, isPrivate: isPrivate)
        }
    }
}

extension MQTTBrokerAddress {
    /// The address, the same for both names of this machine.
    fileprivate var uniform: String {
        var copy = self
        if host == "localhost" { copy.host = "127.0.0.1" }
        return "\(copy)"
    }
}
