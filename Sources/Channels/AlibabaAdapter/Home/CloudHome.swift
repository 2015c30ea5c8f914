internal import Alink
internal import Connectivity
internal import DeviceDomain

/// What is known of the devices of a platform. A value type: lists, readings and messages go in, updates come out.
struct CloudHome: Sendable {
    let home: HomeID
    private(set) var devices: [DeviceID: CloudDevice] = [:]
    /// Whether every page was read once.
    private(set) var isListed = false
    /// How many entries and messages could not be used.
    private(set) var counters = CloudCounters()
    /// The devices that nobody was told of since calls failed.
    private var untold: Set<DeviceID> = []
    /// Ids of messages that were taken in, the newest last.
    private var seenMessages: [String] = []

    /// How many ids of messages are remembered: a message comes again within minutes.
    private static let rememberedMessages = 512

    init(_ home: HomeID) { self.home = home }

    /// Takes in the list of all devices.
    /// - Parameter time: of the list, by the platform's clock.
    mutating func list(
        _ listings: [ListedDevice], of products: [ProductKey: ThingProduct], at time: Timestamp
    ) -> [DeviceUpdate] {
        isListed = true
        var updates: [DeviceUpdate] = []
        let present = Set(listings.map(\.name.deviceID))
        for gone in devices.keys.filter({ !present.contains($0) }).sorted() {
            devices[gone] = nil
            updates.append(DeviceUpdate(device: gone, content: .removed))
        }
        for listing in listings {
            guard let product = products[listing.name.product] else { continue }
            let id = listing.name.deviceID
            let isUntold = untold.remove(id) != nil
            if devices[id] == nil {
                let device = CloudDevice(listing, product, in: home)
                devices[id] = device
                updates.append(DeviceUpdate(device: id, content: .description(device.profile)))
            }
            let new = devices[id]?.apply(listing, at: time) ?? []
            if isUntold, let device = devices[id] {
                updates += everything(of: device)
            } else {
                updates += new.map { DeviceUpdate(device: id, content: $0) }
            }
        }
        return updates
    }

    /// Calls failed: the next list is told even of a device that has not changed, because only a device that was
    /// heard since counts as reachable.
    mutating func linkLost() { untold = Set(devices.keys) }

    /// Takes in properties of a device.
    /// - Returns: the values that were newer than what was known, and the update for them.
    mutating func report(
        _ values: [String: SubscribedMessage.TimedValue], of device: DeviceID
    ) -> (taken: [String: CloudDevice.Reported], updates: [DeviceUpdate]) {
        guard let before = devices[device]?.state?.members,
            let taken = devices[device]?.apply(values)
        else {
            let taken = devices[device]?.apply(values) ?? [:]
            return (taken, stateUpdate(of: device).map { [$0] } ?? [])
        }
        let isNew = devices[device]?.state?.members != before
        return (taken, isNew ? stateUpdate(of: device).map { [$0] } ?? [] : [])
    }

    private func stateUpdate(of device: DeviceID) -> DeviceUpdate? {
        devices[device]?.state.map { DeviceUpdate(device: device, content: .state($0)) }
    }

    /// Takes in that a device came or went.
    mutating func presence(
        _ status: PresenceReport.Status, of device: DeviceID, at time: Timestamp
    ) -> [DeviceUpdate] {
        let new = devices[device]?.apply(status, at: time) ?? []
        return new.map { DeviceUpdate(device: device, content: $0) }
    }

    /// The update for an event of a device; `nil` for one that its model does not have.
    mutating func event(
        _ identifier: String, _ detail: JSONObject, of device: DeviceID, at time: Timestamp
    ) -> DeviceUpdate? {
        guard let event = devices[device]?.product.model.event(identifier),
            let name = event.eventName
        else {
            counters.unusableMessages += 1
            return nil
        }
        return DeviceUpdate(
            device: device,
            content: .event(EventReport(name, detail: event.detail(detail), at: time)))
    }

    /// Whether a message comes for the first time; one without an id always does.
    mutating func isNew(message id: String) -> Bool {
        guard !id.isEmpty else { return true }
        guard !seenMessages.contains(id) else { return false }
        seenMessages = seenMessages.suffix(Self.rememberedMessages - 1) + [id]
        return true
    }

    /// Counts a message that cannot be used.
    mutating func countUnusableMessage() { counters.unusableMessages += 1 }

    /// Counts an entry of a list that cannot be used.
    mutating func countUnusableEntries(_ count: Int) { counters.unusableEntries += count }

    /// Everything that is known of a part of the home, as updates for a new observer.
    func snapshot(of scope: HomeScope) -> [DeviceUpdate] {
        devices.sorted { $0.key < $1.key }.filter { scope.contains($0.key) }
            .flatMap { everything(of: $0.value) }
    }

    private func everything(of device: CloudDevice) -> [DeviceUpdate] {
        var contents: [DeviceObservation.Content] = [.description(device.profile)]
        if let presence = device.presence {
            contents.append(.presence(Presence(presence, at: device.presenceAt)))
        }
        if let state = device.state { contents.append(.state(state)) }
        return contents.map { DeviceUpdate(device: device.profile.id, content: $0) }
    }
}

/// How much could not be used.
struct CloudCounters: Hashable, Sendable {
    /// Entries of lists.
    var unusableEntries = 0
    /// Messages of the subscription.
    var unusableMessages = 0
}
