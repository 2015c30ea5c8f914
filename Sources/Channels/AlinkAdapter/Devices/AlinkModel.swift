internal import Alink
internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// What a message comes to.
struct HeardMessage: Sendable {
    /// What observers are told.
    var updates: [DeviceUpdate] = []
    /// The properties that the device has reported.
    var values: [ReportedValue] = []
    /// What the device is answered.
    var answer: AlinkReply?
    /// Whether nothing else was heard of the device since the connection was made.
    var isFirst = false
}

/// What was heard of the devices of one broker. A value type without clock or connection: messages go in, updates
/// and answers come out.
///
/// A state is the newest value of every property; those that no command sets are samples of telemetry too. A post
/// with a time before that of the known value changes nothing, and a status neither.
struct AlinkModel: Sendable {
    /// The most devices of one broker.
    private static let limit = 20_000

    /// The home of every device.
    let home: HomeID
    private let products: [ProductKey: ThingProduct]
    /// Counts of unusable messages.
    var counters = AlinkCounters()
    private(set) var devices: [DeviceID: AlinkDevice] = [:]

    init(home: HomeID, products: [ProductKey: ThingProduct]) {
        self.home = home
        self.products = products
    }

    /// Applies a message.
    mutating func receive(_ topic: AlinkTopic, _ payload: [UInt8]) -> HeardMessage {
        switch topic.content {
        case .properties, .event, .inquiry: requested(topic, payload)
        case .status: HeardMessage(updates: status(topic.name, payload))
        // What a controller sends, this one or another.
        case .answer, .setting, .service, .reply: HeardMessage()
        }
    }

    /// The connection is lost: presences are unknown until the broker tells them again.
    mutating func linkLost() {
        for id in devices.keys {
            devices[id]?.status = nil
            devices[id]?.isHeard = false
        }
    }

    /// The devices that have said nothing since the connection was made, in the order of their ids.
    var unheard: [DeviceID] { devices.filter { !$0.value.isHeard }.keys.sorted() }

    /// Takes a device as the ledger describes it, unless it was heard.
    /// - Returns: whether that names it on the wire: an earlier run of this channel has described it.
    mutating func recall(_ profile: DeviceProfile) -> Bool {
        guard devices[profile.id] == nil, let product = ProductKey(profile.model.rawValue),
            let name = ThingName(product: product, device: profile.name),
            name.deviceID == profile.id
        else { return false }
        return !listed(name).isEmpty
    }

    // MARK: Devices

    /// Lists a device that was not heard before.
    private mutating func listed(_ name: ThingName) -> [DeviceUpdate] {
        let id = name.deviceID
        guard devices[id] == nil else { return [] }
        guard devices.count < Self.limit else {
            counters.droppedDevices += 1
            return []
        }
        let device = AlinkDevice(name, products[name.product], in: home)
        devices[id] = device
        return Self.description(of: device)
    }

    private mutating func status(_ name: ThingName, _ payload: [UInt8]) -> [DeviceUpdate] {
        let id = name.deviceID
        guard !payload.isEmpty else {
            guard devices.removeValue(forKey: id) != nil else { return [] }
            return [DeviceUpdate(device: id, content: .removed)]
        }
        do {
            let status = try AlinkStatus(payload: payload)
            let updates = listed(name)
            devices[id]?.isHeard = true
            if let former = devices[id]?.status?.lastTime, let new = status.lastTime, new < former {
                return updates
            }
            devices[id]?.status = status
            return updates + (devices[id].flatMap(Self.presenceUpdate).map { [$0] } ?? [])
        } catch {
            counters.malformedPayloads += 1
            return unreadable(id, "\(error)", part: .presence)
        }
    }

    private mutating func requested(_ topic: AlinkTopic, _ payload: [UInt8]) -> HeardMessage {
        let request: AlinkRequest
        do {
            request = try AlinkRequest(payload: payload)
        } catch {
            counters.malformedPayloads += 1
            return HeardMessage(updates: unreadable(topic.name.deviceID, "\(error)"))
        }
        var heard = HeardMessage()
        if let parameters = request.parameters.object {
            heard.updates = listed(topic.name)
            heard.isFirst = devices[topic.name.deviceID]?.isHeard == false
            devices[topic.name.deviceID]?.isHeard = true
            apply(parameters, topic, to: &heard)
            heard.answer = AlinkReply(id: request.id)
        } else if case .inquiry = topic.content {
            heard.answer = AlinkReply(id: request.id)
        } else {
            counters.malformedPayloads += 1
            heard.updates = unreadable(topic.name.deviceID, "params: an object was expected")
            heard.answer = AlinkReply(
                id: request.id, code: AlinkCode.parameters, message: "params must be an object")
        }
        if !request.wantsReply { heard.answer = nil }
        return heard
    }

    private mutating func apply(
        _ parameters: JSONObject, _ topic: AlinkTopic, to heard: inout HeardMessage
    ) {
        let id = topic.name.deviceID
        switch topic.content {
        case .properties: post(PostedProperty.read(parameters), by: id, to: &heard)
        case .event(let identifier):
            guard let event = devices[id]?.product?.model.event(identifier),
                let name = event.eventName
            else {
                counters.unknownEvents += 1
                return
            }
            let posted = PostedEvent(parameters)
            let report = EventReport(name, detail: event.detail(posted.value), at: posted.time)
            heard.updates.append(DeviceUpdate(device: id, content: .event(report)))
        case .inquiry, .answer, .setting, .service, .reply, .status: break
        }
    }

    private mutating func post(
        _ posted: [PostedProperty], by id: DeviceID, to heard: inout HeardMessage
    ) {
        guard let merged = devices[id]?.merge(posted), let device = devices[id] else { return }
        heard.values = merged.taken
        let time = merged.taken.compactMap(\.time).max()
        if !merged.taken.isEmpty {
            heard.updates.append(
                DeviceUpdate(device: id, content: .state(StateReport(device.state, at: time))))
        }
        let measured = device.measured(merged.taken)
        if !measured.isEmpty {
            heard.updates.append(
                DeviceUpdate(device: id, content: .telemetry(TelemetryReport(measured, at: time))))
        }
        if !merged.wrong.isEmpty {
            let names = merged.wrong.prefix(5).joined(separator: ", ").cut()
            heard.updates += unreadable(id, "\(names): not of the type in the thing model")
        }
    }

    /// A known device has published something that cannot be read.
    func unreadable(
        _ id: DeviceID, _ reason: String, part: DevicePart = .state
    ) -> [DeviceUpdate] {
        devices[id] == nil ? [] : [DeviceUpdate(device: id, content: .problem(part, reason.cut()))]
    }
}
