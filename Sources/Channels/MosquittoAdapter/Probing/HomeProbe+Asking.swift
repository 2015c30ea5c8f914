internal import DeviceDomain
internal import DeviceMessages
internal import DeviceTopics
internal import MQTTClient
internal import MQTTLink

extension HomeProbe {
    /// The filters of one SUBSCRIBE.
    private static let filtersAtOnce = 100

    /// Subscribes, and keeps what the broker refuses.
    func subscribe(
        _ subscriptions: [MQTTSubscriptionRequest], over connection: ProbeConnection,
        _ report: inout HomeProbeReport
    ) async throws(MQTTError) {
        var rest = subscriptions[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.filtersAtOnce)
            rest = rest.dropFirst(part.count)
            let answers = try await connection.subscribe(Array(part))
            for (subscription, answer) in zip(part, answers) where answer.isError {
                report.refusedFilters[subscription.filter.rawValue] = answer
            }
        }
    }

    /// Publishes to the fence, behind everything that the broker has begun to send.
    func passFence(
        over connection: ProbeConnection, _ report: inout HomeProbeReport
    ) async throws(MQTTError) {
        let fence = FenceMessage(nonce: .randomHex(digits: 16))
        var message = MQTTMessage.fence(fence, home: home)
        // With an acknowledgement, so that a refusal shows.
        message.qos = .atLeastOnce
        let exchange = try await connection.exchange(message, within: times.answer) {
            [payload = message.payload] in $0.payload == payload
        }
        if exchange.reason.isError {
            report.refusedTopics[message.topic.rawValue] = exchange.reason
        }
        report.isFenceHeard = exchange.roundTrip != nil
    }

    /// Publishes nothing to topics of a device that is not there, to see whether the broker lets it pass.
    func tryTopics(
        over connection: ProbeConnection, _ report: inout HomeProbeReport
    ) async throws(MQTTError) {
        guard let nonexistentDevice = DeviceID(rawValue: Self.nonexistentDevice) else { return }
        let topics: [DeviceTopic] = [
            .command(home, nonexistentDevice, .normal), .command(home, nonexistentDevice, .urgent),
            .desired(home, nonexistentDevice),
        ]
        for topic in topics {
            let reason = try await connection.publish(
                MQTTMessage(topic: MQTTTopic(topic), payload: []))
            if reason.isError { report.refusedTopics[topic.text] = reason }
        }
    }

    /// Asks devices by a command that is checked and not carried out.
    func ask(
        over connection: ProbeConnection, _ report: inout HomeProbeReport
    ) async throws(MQTTError) {
        for device in watch.online.prefix(Self.sample) {
            let question = question(to: device)
            watch.asked(device, by: question.id, at: question.issuedAt)
            let message = MQTTMessage.command(
                question.payload, lane: .normal, home: home, device: device, controller: asker,
                id: question.id, expiresAt: question.expiresAt, now: question.issuedAt, attempt: 1)
            let reason = try await connection.publish(message)
            guard reason.isError else { continue }
            watch.refusedQuestion(to: device)
            report.refusedTopics[message.topic.rawValue] = reason
        }
    }

    private func question(to device: DeviceID) -> CommandMessage {
        let now = wallClock()
        return CommandMessage(
            id: CommandID(at: now), controller: asker, name: .identify,
            issuedAt: now, expiresAt: now.advanced(by: .seconds(30)),
            sequence: max(now.milliseconds, 1), dryRun: true)
    }
}
