internal import Basics
internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages
internal import MQTTClient

extension MatterChannel {
    /// Takes in what the server reports of its nodes.
    func reported(_ event: NodeEvent) {
        // The list of all nodes follows, and has it.
        guard model.isListed else { return }
        var isDescribed = false
        let updates: [DeviceUpdate]
        switch event {
        case .node(let node):
            updates = model.describe(node)
            isDescribed = true
        case .nodeRemoved(let node):
            updates = model.remove(node)
            isDescribed = true
        case .endpointRemoved(let node, let endpoint):
            updates = model.remove(endpoint: endpoint, of: node)
            isDescribed = true
        case .attribute(let node, let path, let value):
            return received(node, path, value)
        case .device(let event): updates = model.happened(event)
        }
        if isDescribed || updates.contains(where: \.isDescription) {
            directory.update(model.devices)
        }
        for update in updates { listeners.deliver(update) }
        if case .node(let node) = event {
            for (awaited, path) in outstanding.awaited where awaited == node.id {
                if let value = node.attributes[path] {
                    run(outstanding.reported(awaited, path, value))
                }
            }
        }
    }

    private func received(_ node: UInt64, _ path: AttributePath, _ value: JSONValue) {
        let updates = model.update(node, path, value)
        // Before the updates: who learns of a device may prepare a command for it at once.
        if path.isDescriptive || updates.contains(where: \.isDescription) {
            directory.update(model.devices)
        }
        for update in updates { listeners.deliver(update) }
        // After the state, so that evidence follows the state that proves it.
        run(outstanding.reported(node, path, value))
    }

    /// Executes actions of the outstanding commands.
    func run(_ actions: [OutstandingCommands.Action]) {
        for action in actions {
            switch action {
            case .send(let text): _ = link.socket?.send(text)
            case .release(let id, let receipt):
                receipts.removeValue(forKey: id)?.resolve(receipt)
            case .tell(let evidence): listeners.deliver(evidence)
            case .wait(let id): waitFurther(id)
            case .attribute(let node, let path, let value): received(node, path, value)
            }
        }
    }
}

extension DeviceUpdate {
    /// Whether it tells what a device is.
    fileprivate var isDescription: Bool {
        switch content {
        case .description, .removed: true
        case .presence, .state, .telemetry, .event, .evidence, .cleared, .problem: false
        }
    }
}
