import Homeport

/// What a bridge publishes and sends, as a value: the changes of a home and the messages of Home
/// Assistant go in, actions come out.
struct BridgeStateMachine: Sendable {
    /// What is to be done, in order.
    enum Action: Hashable, Sendable {
        /// Publish a retained message.
        case publish(BridgeDocument)
        /// Send a command to a device; when it has ended, tell ``commandEnded(of:)``.
        case send(CommandName, JSONObject, to: DeviceID)
        /// Tell ``tidied(_:)`` of the device after a while.
        case tidyLater(DeviceID)
        /// Tell the user that something was refused.
        case report(HomeAssistantError)
    }

    /// Whether every device of the home is known.
    private enum Survey {
        /// Not yet. What was published of devices that are not known waits, by its topic.
        case pending(leftovers: [String: DeviceID])
        /// Yes: what is not known is gone.
        case complete
    }

    private let topics: BridgeTopics
    private var devices: [DeviceID: AnnouncedDevice] = [:]
    private var survey = Survey.pending(leftovers: [:])

    init(_ topics: BridgeTopics) { self.topics = topics }

    // MARK: The home

    /// Something about a device has changed.
    /// - Parameters:
    ///   - profile: `nil` for a device that has not described itself, which is not announced.
    ///   - label: what the user has said of it.
    mutating func changed(
        _ device: DeviceID, _ profile: DeviceProfile?, _ report: DeviceReport,
        _ label: DeviceLabel = DeviceLabel()
    ) -> [Action] {
        guard let profile else { return removed(device) }
        var known =
            devices[device]
            ?? AnnouncedDevice(profile, report, topics, leftovers: takeLeftovers(of: device))
        known.update(profile, report, label)
        defer { devices[device] = known }
        return known.changes().map(Action.publish)
    }

    /// A device is gone from the home.
    mutating func removed(_ device: DeviceID) -> [Action] {
        guard let known = devices.removeValue(forKey: device) else { return [] }
        return known.removal.map(Action.publish) + [.tidyLater(device)]
    }

    /// Home Assistant has had the time to remove the entities of a device: its states are removed, which an
    /// entity that is still there would take for a state that it cannot read.
    func tidied(_ device: DeviceID) -> [Action] {
        guard devices[device] == nil else { return [] }
        return topics.states(of: device).map { .publish(.cleared($0)) }
    }

    /// Every device of the home is known: descriptions of others are of devices that are gone.
    mutating func surveyed() -> [Action] {
        guard case .pending(let leftovers) = survey else { return [] }
        survey = .complete
        return leftovers.sorted { $0.key < $1.key }.flatMap { clear($0.key, of: $0.value) }
    }

    /// A command that ``Action/send(_:_:to:)`` asked for has ended without success, or its outcome is
    /// unknown: the true state is published again.
    func commandEnded(of device: DeviceID) -> [Action] {
        devices[device]?.states.map(Action.publish) ?? []
    }

    // MARK: The broker

    /// The connection to the broker is there, or there again.
    mutating func connected() -> [Action] {
        [.publish(BridgeDocument(topics.status, "online"))] + announceAll()
    }

    /// A message has come.
    /// - Parameter retained: whether the broker had stored it.
    mutating func received(_ topic: String, _ payload: [UInt8], retained: Bool) -> [Action] {
        switch topics.incoming(topic) {
        case nil: return []
        case .birth: return payload == Array("online".utf8) ? announceAll() : []
        case .discovery(let device), .availability(let device):
            return payload.isEmpty ? [] : found(topic, of: device)
        case .command(let device, let component, let key):
            return answer(device, payload, retained) { known throws(HomeAssistantError) in
                guard let entity = known.entities.entity(taking: key, as: component) else {
                    throw .unknownEntity(topic)
                }
                return try entity.request(payload, key: key, known.report, known.drafts)
            }
        case .named(let device):
            return answer(device, payload, retained) { known throws(HomeAssistantError) in
                let command = try NamedCommand(payload)
                return .send(command.name, command.arguments(for: known.profile))
            }
        }
    }

    private mutating func announceAll() -> [Action] {
        devices.keys.sorted().flatMap { devices[$0]?.everything() ?? [] }.map(Action.publish)
    }

    private mutating func answer(
        _ device: DeviceID, _ payload: [UInt8], _ retained: Bool,
        _ read: (AnnouncedDevice) throws(HomeAssistantError) -> EntityRequest
    ) -> [Action] {
        // An empty one removes what a broker had stored, and is no command.
        guard !payload.isEmpty else { return [] }
        do throws(HomeAssistantError) {
            guard !retained else { throw .retained(device) }
            guard let known = devices[device] else { throw .unknownDevice(device) }
            return carryOut(try read(known), device)
        } catch {
            return [.report(error)] + commandEnded(of: device)
        }
    }

    private mutating func carryOut(_ request: EntityRequest, _ device: DeviceID) -> [Action] {
        switch request {
        case .send(let command, let arguments): return [.send(command, arguments, to: device)]
        case .keep(let draft, let value):
            devices[device]?.keep(value, as: draft)
            return devices[device]?.changes().map(Action.publish) ?? []
        }
    }

    // MARK: Earlier runs

    private mutating func found(_ topic: String, of device: DeviceID) -> [Action] {
        if devices[device] != nil {
            devices[device]?.add(leftover: topic)
            return devices[device]?.changes().map(Action.publish) ?? []
        }
        switch survey {
        case .complete: return clear(topic, of: device)
        case .pending(var leftovers):
            leftovers[topic] = device
            survey = .pending(leftovers: leftovers)
            return []
        }
    }

    private mutating func takeLeftovers(of device: DeviceID) -> Set<String> {
        guard case .pending(let leftovers) = survey else { return [] }
        survey = .pending(leftovers: leftovers.filter { $0.value != device })
        return Set(leftovers.filter { $0.value == device }.keys)
    }

    /// Removes what an earlier run has published of a device that is gone.
    private func clear(_ topic: String, of device: DeviceID) -> [Action] {
        topic == topics.availability(of: device)
            ? [.tidyLater(device)] : [.publish(.cleared(topic))]
    }
}

extension HomeAssistantError {
    fileprivate static func unknownEntity(_ topic: String) -> HomeAssistantError {
        HomeAssistantError(.unknownEntity, "no announced entity takes commands on \(topic)")
    }

    fileprivate static func unknownDevice(_ device: DeviceID) -> HomeAssistantError {
        HomeAssistantError(.unknownEntity, "\(device) is not announced, so it takes no commands")
    }

    fileprivate static func retained(_ device: DeviceID) -> HomeAssistantError {
        HomeAssistantError(
            .retainedCommand,
            "ignored a retained command for \(device), which may be old: publish commands without "
                + "the retain flag")
    }
}
