/// The network between one client and its broker, as a simulator wants it to be.
///
/// It outlives the connections of the client (``MQTTConnection/goOver(_:)``): each goes over it, as long as its
/// conditions ask for something. Confined to the thread of its event loop.
package final class ShapedLink {
    private let eventLoop: MQTTEventLoop
    /// What the random numbers of its connections derive from.
    private let seed: UInt64
    /// The conditions for the connection that there is, and for those to come.
    package private(set) var conditions = LinkConditions.clear
    /// The relays that may still be there.
    private var relays: [UInt32] = []
    private var connections: UInt64 = 0
    /// The connection that goes over it.
    private weak var driver: MQTTConnectionDriver?

    /// A clear link.
    package init(on eventLoop: MQTTEventLoop, seed: UInt64) {
        self.eventLoop = eventLoop
        self.seed = seed
    }

    /// Has a connection and its later ones go over this link.
    func carry(_ driver: MQTTConnectionDriver) {
        self.driver = driver
        driver.link = self
        if conditions.ofLaterConnections != .clear { driver.shapeSocket() }
    }

    /// From now on the link has other conditions.
    package func change(to conditions: LinkConditions) {
        let former = self.conditions
        guard conditions != former else { return }
        self.conditions = conditions
        if conditions != .clear { driver?.shapeSocket() }
        let core = eventLoop.core
        relays.removeAll { core.relays[$0] == nil }
        for relay in relays.compactMap({ core.relays[$0] }) {
            if former.passage == .severed, conditions.passage != .severed { relay.tellClient() }
            relay.change(to: conditions.ofLaterConnections)
        }
        guard conditions.passage == .severed, former.passage != .severed, let driver else { return }
        driver.shapeSocket()
        driver.socket.relay?.sever()
    }

    /// A relay for a socket of the connection.
    /// - Throws: `resourcesExhausted` without descriptors.
    func relay(of socket: Int32, wasConnected: Bool) throws(MQTTError) -> LinkRelay {
        let core = eventLoop.core
        connections += 1
        let relay = try LinkRelay(
            of: socket, wasConnected: wasConnected, conditions.ofLaterConnections,
            seed: seed &+ 2 &* connections, id: core.relays.nextID(), on: core)
        core.relays.insert(relay)
        relays.removeAll { core.relays[$0] == nil }
        relays.append(relay.id)
        return relay
    }
}
