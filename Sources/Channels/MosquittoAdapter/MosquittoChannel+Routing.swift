internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages
internal import DeviceTopics
internal import Logging
internal import MQTTClient
internal import MQTTLink

extension MosquittoChannel {
    /// Parses a message strictly and routes it; counts and reports a malformed one.
    func received(_ message: MQTTMessage) {
        for id in keptReads.keys { keptReads[id]?.take(message) }
        do throws(TopicError) {
            let topic = try knownTopics.topic(message.topic.rawValue)
            route(topic, message.payload, isReplayed: message.retain)
        } catch {
            counters.foreignTopics += 1
            logger.debug("message dropped", metadata: [ChannelLogKey.error: "\(error)"])
        }
    }

    /// Tells the observers of a device that one of its messages was too large and was dropped unread.
    func skipped(_ message: MQTTSkippedMessage) {
        for id in keptReads.keys { keptReads[id]?.skip(message) }
        guard let topic = try? knownTopics.topic(message.topic.rawValue), let part = topic.part,
            let device = topic.device
        else {
            counters.foreignTopics += 1
            return
        }
        counters.oversizedMessages += 1
        let address = DeviceAddress(home: topic.home, device: device)
        record(address, part, isReplayed: false)
        deliver(.problem(part, message.reason), of: address)
    }

    private func route(_ topic: DeviceTopic, _ payload: [UInt8], isReplayed: Bool) {
        guard let part = topic.part, let device = topic.device else {
            if case .fence = topic { return }
            // Only those who read what is kept subscribe to it.
            if case .desired = topic { return }
            counters.foreignTopics += 1
            return
        }
        let address = DeviceAddress(home: topic.home, device: device)
        record(address, part, isReplayed: isReplayed)
        do throws(ReceptionError) {
            let message = try ReceivedMessage(topic: topic, payload: payload)
            if let content = DeviceObservation.Content(
                message.content, in: topic.home, raw: payload)
            {
                deliver(content, of: address)
            }
            if let problem = message.problem {
                counters.malformedPayloads += 1
                deliver(.problem(part, "\(problem)"), of: address)
            }
        } catch {
            count(error)
            if let content = error.content(of: part) { deliver(content, of: address) }
        }
    }

    /// Subscribes to the rest of a device that has sent its first message.
    private func record(_ address: DeviceAddress, _ part: DevicePart, isReplayed: Bool) {
        rosters[address.home]?.record(address.device, part, isReplayed: isReplayed)
        subscribe(to: [address.device], of: address.home)
    }

    private func deliver(_ content: DeviceObservation.Content, of address: DeviceAddress) {
        if case .evidence(let evidence) = content, let query = queries[evidence.id] {
            return answer(query, with: evidence)
        }
        let observation = DeviceObservation(
            channel: id, home: address.home, device: address.device, content: content)
        for conversation in (conversations[address] ?? [:]).values {
            conversation.source.send(observation)
        }
        for observer in observers.values where observer.wants(address) {
            observer.sink(observation)
        }
    }

    private func count(_ error: ReceptionError) {
        logger.debug("message dropped", metadata: [ChannelLogKey.error: "\(error)"])
        switch error {
        case .topic: counters.foreignTopics += 1
        case .empty: counters.emptyMessages += 1
        case .payload: counters.malformedPayloads += 1
        case .otherDevice, .otherEvent: counters.misaddressedMessages += 1
        }
    }
}

extension Observer {
    /// Whether the observer gets the messages of a device.
    fileprivate func wants(_ address: DeviceAddress) -> Bool {
        home == address.home && scope.contains(address.device)
    }
}

extension DeviceObservation.Content {
    /// Translates a message of the protocol; `nil` for one that is not meant for a reader.
    fileprivate init?(_ message: DeviceMessage, in home: HomeID, raw: [UInt8]) {
        switch message {
        case .telemetry(let sample):
            self = .telemetry(
                TelemetryReport(sample.values, boot: sample.boot, at: sample.at, n: sample.n))
        case .state(let state):
            self = .state(
                StateReport(
                    state.state, revision: state.revision, boot: state.boot, at: state.at,
                    by: state.by, applied: DesiredSettings(reportedIn: state.state)))
        case .presence(let presence): self = .presence(Presence(presence.report))
        case .description(let message): self = .description(message.profile(home: home))
        case .event(let event):
            self = .event(
                EventReport(
                    event.event, id: event.id, detail: event.detail, boot: event.boot,
                    at: event.at))
        case .ack(let ack, _): self = .evidence(CommandEvidence(ack, raw: raw))
        case .command, .desired, .hello, .fence: return nil
        }
    }
}

extension DeviceTopic {
    /// The part of a device that is published on the topic; `nil` for topics that are not meant for a
    /// reader.
    fileprivate var part: DevicePart? {
        switch self {
        case .description: .description
        case .presence: .presence
        case .state: .state
        case .telemetry: .telemetry
        case .event: .event
        case .ack: .ack
        case .command, .desired, .hello, .fence: nil
        }
    }
}

extension ReceptionError {
    /// What the observers are told about it.
    fileprivate func content(of part: DevicePart) -> DeviceObservation.Content? {
        switch self {
        case .topic: return nil
        case .empty:
            switch part {
            case .description, .presence, .state: return .cleared(part)
            case .telemetry, .event, .ack: return nil
            }
        case .payload(_, let error): return .problem(part, "\(error)")
        case .otherDevice(_, let named): return .problem(part, "the payload names device \(named)")
        case .otherEvent(_, let named): return .problem(part, "the payload names event \(named)")
        }
    }
}
