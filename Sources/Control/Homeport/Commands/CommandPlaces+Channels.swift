internal import DeviceControl
internal import MQTTClient

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
            // Whichever node took a command, it is where the others of its cluster are.
            let nodes = connection.otherBrokers.map(\.uniform) + [broker]
            here[setup.id] = Place(broker: nodes.min() ?? broker, isPrivate: isPrivate)
            others.formUnion(nodes.map { Place(broker: $0, isPrivate: false) })
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
