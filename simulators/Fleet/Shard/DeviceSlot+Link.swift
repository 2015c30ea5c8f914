import DeviceSimulation
import MQTTClient

/// Another client that uses the id of a device, because of the fault `takeover`.
enum Intruder {
    /// There was none.
    case none
    /// It takes the id back each time.
    case present(MQTTConnection)
    /// It has gone. It may have ended connections of the device up to this one.
    case gone(lastEpoch: Int)

    /// Whether it may have ended a connection.
    /// - Parameter epoch: the connection, as a ``DeviceStanding`` counts them.
    func mayHaveEnded(_ epoch: Int) -> Bool {
        switch self {
        case .none: false
        case .present: true
        case .gone(let last): epoch <= last
        }
    }
}

// The network between a device and its broker, as faults have it.
extension DeviceSlot {
    /// Has the network do what faults say, for the connection that there is and for later ones.
    /// - Parameter seed: what random numbers derive from.
    mutating func shape(_ faults: LinkFaults, seed: UInt64, on eventLoop: MQTTEventLoop) {
        let conditions = LinkConditions(faults)
        guard conditions != .clear || link != nil else { return }
        let link = link ?? ShapedLink(on: eventLoop, seed: seed)
        self.link = link
        connection?.goOver(link)
        link.change(to: conditions)
    }

    /// Lets another client have the id of the device.
    /// - Parameter configuration: that of the device.
    mutating func addIntruder(_ configuration: MQTTConfiguration, on eventLoop: MQTTEventLoop) {
        if case .present = intruder { return }
        let other = MQTTConnection(
            configuration: configuration.ofIntruder(), eventLoop: eventLoop, handler: { _ in })
        intruder = .present(other)
        other.start()
    }

    /// Leaves the id to the device alone.
    /// - Parameter epoch: its last connection.
    mutating func removeIntruder(epoch: Int) {
        guard case .present(let other) = intruder else { return }
        other.abort()
        intruder = .gone(lastEpoch: epoch)
        // A device that was told who has its id has stopped trying.
        connection?.start()
    }
}

extension LinkConditions {
    /// What faults ask of the network.
    fileprivate init(_ faults: LinkFaults) {
        self.init()
        passage =
            switch faults.passage {
            case .open: .open
            case .halfOpen: .severed
            case .closed: .held
            }
        bytesPerSecond = faults.bytesPerSecond
        delay = faults.delay
        jitter = faults.jitter
        loss = faults.loss
    }
}

extension MQTTConfiguration {
    /// How long another client waits before it takes the id back: an estimate (engineering) for firmware that is
    /// not patient.
    private static let intruderWait = Duration.milliseconds(250)

    /// The same for another client of the id, which leaves no will and does not give up.
    fileprivate func ofIntruder() -> MQTTConfiguration {
        var configuration = self
        configuration.will = nil
        configuration.isClientIDUnique = true
        configuration.reconnect = MQTTReconnectPolicy(
            initial: Self.intruderWait, cap: Self.intruderWait)
        configuration.reconnect.delays = .fixed
        configuration.reconnect.outlivesTakeovers = true
        return configuration
    }
}
