internal import Basics
package import Connectivity
internal import DeviceDomain
internal import DeviceMessages
internal import MQTTClient

extension MatterChannel {
    /// The requests, without the ids by which they are answered.
    package nonisolated func payload(
        of intent: CommandIntent
    ) throws(CommunicationError) -> [UInt8] {
        try directory.payload(of: intent)
    }

    /// Sends a command and waits for the server's answer. What the device reports later counts also where that
    /// does not come.
    /// - Throws: `notConnected` or `unreachable`, `neverLeft`, without a connection and for a device that cannot be
    ///   reached; `cannotExpress` if the device takes no such command at present; `linkLost`, `mayHaveLeft`, where
    ///   the answer is late, lost or leaves open what happened.
    package func send(_ command: PreparedCommand) async throws(CommunicationError)
        -> DeliveryReceipt
    {
        let intent = command.intent
        guard let socket = link.socket else {
            throw CommunicationError(
                .notConnected, "there is no connection to \(configuration.server) now",
                certainty: .neverLeft, isRetriable: true)
        }
        let known = try directory.command(of: intent)
        guard let device = model.device(intent.device), model.isReachable(intent.device) == true
        else {
            throw .away(
                "\(intent.device) is offline, as the Matter server reports: check its power and its "
                    + "network")
        }
        let texts = command.payload.split(separator: CommandDirectory.lineEnd).map(Array.init)
        let arguments =
            known.specification.arguments?
            .replacingPresetNames(in: .object(intent.arguments)).object ?? intent.arguments
        let actions = outstanding.begin(
            intent, node: device.place.node, sort: known.specification.sort,
            proof: known.proof(arguments), texts: texts)
        guard case .send(let first)? = actions.first, socket.send(first) else {
            outstanding.end(intent.id)
            throw CommunicationError(
                .overloaded, "the connection to \(configuration.server) takes no more at present",
                certainty: .neverLeft, isRetriable: true)
        }
        let slot = AnswerSlot<OutstandingCommands.Handover>()
        receipts[intent.id] = slot
        run(Array(actions.dropFirst()))
        let cancelled = "the wait for the answer of the Matter server was given up"
        switch await slot.value(ifCancelled: .open(cancelled)) {
        case .receipt(let receipt): return receipt
        case .open(let reason): throw CommunicationError(.linkLost, reason)
        }
    }

    /// Waits for what comes next of a command.
    func waitFurther(_ id: CommandID) {
        guard let wait = outstanding.wait(of: id) else { return }
        eventLoop.schedule(after: wait.duration) { [weak self] in
            self?.assumeIsolated { channel in
                let canAsk = channel.link.socket != nil
                channel.run(channel.outstanding.waited(wait, canAsk: canAsk))
            }
        }
    }
}
