/// The network between the connection and its broker, where a simulator shapes it.
extension MQTTConnectionDriver {
    /// Puts a relay between the socket and the broker, if there is a socket without one.
    func shapeSocket() {
        guard let link, let descriptor = socket.handle?.socket, socket.relay == nil else { return }
        core.poller.remove(descriptor)
        do throws(MQTTError) {
            let relay = try link.relay(of: descriptor, wasConnected: machine.isConnected)
            socket.relayed(by: relay)
            relay.work()
        } catch {
            return fail(error)
        }
        let isWatched = core.poller.add(
            descriptor, token: socket.token, interest: socket.interest)
        if !isWatched { fail(.socketNotWatched) }
    }

    /// Ends the connection as a network does that resets it: the broker sees RST, and so does the client.
    func reset() {
        guard let descriptor = socket.handle?.socket else { return }
        if let relay = socket.relay { relay.reset() } else { LinkRelay.armReset(descriptor) }
        fail(.resetByNetwork(broker))
    }
}
