internal import Connectivity
internal import DeviceControl
public import DeviceDomain
internal import HomeModel

extension HomeMemory {
    /// Hears what changes until the task is cancelled or the home ends.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.hear() }
            group.addTask { await self.readMoved() }
            group.addTask { await self.followSent() }
            await group.next()
            group.cancelAll()
        }
    }

    private func hear() async {
        // Before anything else: what was known is on the screen while the channels connect.
        await recall()
        // Beside the changes: reading a large history must not delay them.
        async let earlier: Void = readEarlierSamples()
        for await change in service.changes() {
            switch change {
            case .link(let channel, let link): links[channel] = LinkStanding(link)
            case .device(let change):
                apply(change)
                // Its room may be one that another process has just made.
                if case .label = change.content { await readRooms() }
            }
        }
        await earlier
    }

    private func readEarlierSamples() async {
        for device in allDevices where !Task.isCancelled {
            // A history that cannot be read was reported by who keeps it; charts begin empty then.
            guard let earlier = try? await service.earlierSamples(of: device.id) else { return }
            device.begin(with: earlier)
        }
    }

    private func recall() async {
        do {
            for known in try await service.recallDevices() { show(known) }
            storageFailure = nil
        } catch {
            storageFailure = error
        }
        await readRooms()
        await readOpenCommands()
        isRecalled = true
    }

    private func apply(_ change: DeviceChange) {
        switch change.content {
        case .removed: remove(change.device)
        case .telemetry: touch(change.device)?.addSample()
        case .evidence: toReload.add(change.device)
        case .presence:
            touch(change.device)
            toReload.add(change.device)
        case .description, .doubt, .channel, .label, .state, .problem: touch(change.device)
        case .event: break
        }
    }

    /// The device as it is known now; `nil` where nothing is.
    @discardableResult
    private func touch(_ id: DeviceID) -> DeviceMemory? {
        service.latest(id).map(show)
    }

    @discardableResult
    private func show(_ known: KnownDevice) -> DeviceMemory {
        if let device = devices[known.id] {
            device.update(known)
            return device
        }
        let device = DeviceMemory(known)
        devices[known.id] = device
        return device
    }

    private func remove(_ id: DeviceID) {
        devices[id] = nil
        waiting.removeAll { $0.intent.device == id }
        undecided.removeAll { $0.intent.device == id }
    }

    /// Removes a device here, in storage and at its broker.
    /// - Returns: why it comes back all the same; `nil` where it does not.
    public func forget(_ id: DeviceID) async throws(Failure) -> String? {
        let reason = try await service.forget(id)
        remove(id)
        return reason
    }
}
