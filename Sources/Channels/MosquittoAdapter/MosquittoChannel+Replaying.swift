internal import Basics
public import Connectivity
public import DeviceDomain
internal import DeviceMessages
internal import DeviceTopics
internal import Logging
internal import MQTTClient
internal import MQTTLink

extension MosquittoChannel {
    /// Waits until the retained messages of an observed part have come (PROTOCOL section 1): for a whole
    /// home first the presences, then description and state by exact filters, then once more what is
    /// missing. If the broker's replay does not show which devices there are, all are asked to announce
    /// themselves, and devices known from earlier are subscribed to by name.
    public func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        let observers = observers.filter { $0.value.home == home && $0.value.scope.overlaps(scope) }
        guard scope.isCovered(by: observers.values.map(\.scope)) else { throw .notObserved }
        do {
            for (id, observer) in observers {
                try await waitUntilGranted(observer.subscription, of: id)
            }
            let isFenced = try await passFence(of: home)
            for (id, observer) in observers {
                if let presence = observer.presence {
                    try await waitUntilGranted(presence, of: id)
                }
            }
            let replay = Replay(home: home, scope: scope, isFenced: isFenced)
            let found = try await findDevices(in: replay, known)
            let missing = try await fetchMissing(in: replay)
            guard isFenced else { return .fenceTimeout }
            return missing.map { .incomplete($0) } ?? found
        } catch {
            throw CommunicationError(error)
        }
    }

    /// Waits for the broker's answer to an observer's subscription. An observer that ends meanwhile, and
    /// its subscription with it, does not fail the replay of another one.
    private func waitUntilGranted(
        _ subscription: MQTTLinkSubscription, of id: ListenerID
    ) async throws(MQTTError) {
        do {
            try await link.waitUntilGranted(subscription)
        } catch {
            if observers[id] != nil { throw error }
        }
    }

    /// Tries to find every device of a whole home. Where none is heard, asking again later may help.
    private func findDevices(
        in replay: Replay, _ known: @Sendable () async -> Set<DeviceID>
    ) async throws(MQTTError) -> ReplayCompleteness {
        guard replay.scope.isWhole else { return .complete }
        try await subscribeByWildcards(to: replay.home)
        guard let roster = rosters[replay.home], !replay.isFenced || !roster.isReplayConclusive
        else { return .complete }
        let first = roster.replayed
        let known = await known()
        try await sendHello(in: replay, knowing: known.count)
        let received = rosters[replay.home]?.received ?? [:]
        let silent = known.filter { received[$0] == nil }.sorted()
        if !silent.isEmpty { try await fetch(silent.map { ($0, .all) }, in: replay) }
        let missed = rosters[replay.home]?.devices(missedBy: first) ?? []
        if first.isEmpty {
            return missed.isEmpty
                ? .incomplete(Doubt.silence(in: replay.home)) : .uncertain(Doubt.noReplay)
        }
        return Doubt.missed(missed, beside: first.count).map { .uncertain($0) } ?? .complete
    }

    /// Waits for everything requested so far, and requests once more what has not come.
    /// - Returns: a sentence about what is still missing; `nil` if nothing is.
    private func fetchMissing(in replay: Replay) async throws(MQTTError) -> String? {
        guard rosters[replay.home]?.wholeObservers ?? 0 > 0 else { return nil }
        try await fetch([], in: replay)
        let missing = rosters[replay.home]?.incomplete(in: replay.scope) ?? []
        guard !missing.isEmpty else { return nil }
        try await fetch(missing, in: replay)
        return Doubt.incomplete(
            rosters[replay.home]?.incomplete(in: replay.scope) ?? [],
            largestPacket: await link.largestPacket, over: configuration.version)
    }

    /// Requests retained parts by exact filters, and waits until they and everything requested before
    /// have come. A SUBACK alone does not show that: brokers may send it before the retained messages,
    /// but the fence after both.
    private func fetch(
        _ parts: [(device: DeviceID, missing: RetainedParts)], in replay: Replay
    ) async throws(MQTTError) {
        let filters = parts.flatMap {
            [MQTTSubscriptionRequest].device($0.device, in: replay.home, $0.missing.topics)
        }
        let subscription = filters.isEmpty ? nil : link.subscribe(to: filters)
        defer { if let subscription { link.unsubscribe(subscription) } }
        try await link.waitUntilSettled()
        // If the first fence did not come back, a second one will not either.
        if replay.isFenced { _ = try await passFence(of: replay.home) }
    }

    // MARK: Fence and hello

    /// Publishes a nonce to the channel itself, behind everything that the broker has begun to send.
    /// - Returns: whether it came back in time; false if the broker refuses the filter.
    func passFence(of home: HomeID) async throws(MQTTError) -> Bool {
        if let (id, observer) = observers.first(where: { $0.value.home == home }) {
            do {
                try await waitUntilGranted(observer.fence, of: id)
            } catch {
                guard error.code == .subscriptionRefused else { throw error }
                return false
            }
        }
        let nonce = String.randomHex(digits: 16)
        return try await link.passFence(
            publishing: .fence(FenceMessage(nonce: nonce), home: home),
            within: configuration.fenceDeadline)
    }

    /// Asks every device of the home to announce itself, and waits until the time allowed for answers is
    /// over and no more come.
    ///
    /// The time counts from the send: a busy broker confirms a message after others have answered it. It
    /// may also pass on nothing for seconds while it has thousands of answers, so that silence alone does
    /// not show that there are no more: the fence has to come back too.
    private func sendHello(in replay: Replay, knowing known: Int) async throws(MQTTError) {
        let home = replay.home
        let message = helloMessage(to: home, knowing: known)
        let spread = beginPause(message.spread)
        defer { spread.timer.cancel() }
        _ = try await link.publish(.hello(message, home: home))
        _ = await spread.end.value(ifCancelled: false)
        var waited = Duration.zero
        while waited < Self.longestExtension {
            let isFenced = replay.isFenced ? try await passFence(of: home) : true
            if !isFenced { waited += configuration.fenceDeadline }
            let count = rosters[home]?.partCount
            await pause(configuration.helloMargin)
            waited += configuration.helloMargin
            if isFenced, rosters[home]?.partCount == count { return }
        }
    }

    /// For how long late answers, and a late fence, extend the wait.
    private static let longestExtension = Duration.seconds(30)

    private func pause(_ time: Duration) async {
        let pause = beginPause(time)
        _ = await pause.end.value(ifCancelled: false)
        pause.timer.cancel()
    }

    private func beginPause(_ time: Duration) -> (end: AnswerSlot<Bool>, timer: MQTTTimer) {
        let end = AnswerSlot<Bool>()
        return (end, eventLoop.schedule(after: time) { end.resolve(true) })
    }

    /// Asks every device of the home to announce itself, without waiting for answers.
    func sendHelloWithoutWaiting(to home: HomeID) {
        link.publishWithoutWaiting(.hello(helloMessage(to: home, knowing: 0), home: home))
    }

    /// Allows half a millisecond for each known device, so that the answers fit into the broker's queue.
    private func helloMessage(to home: HomeID, knowing known: Int) -> HelloMessage {
        let count = max(known, rosters[home]?.count ?? 0)
        return HelloMessage(
            nonce: .randomHex(digits: 16),
            spread: max(configuration.helloSpread, .microseconds(500) * count))
    }
}

/// What is replayed, and whether the fence came back.
private struct Replay {
    let home: HomeID
    let scope: HomeScope
    let isFenced: Bool
}

/// Messages for the user: why a list of devices may be incomplete.
private enum Doubt {
    static let noReplay =
        "the broker did not list the devices of this home, so they were asked to announce "
        + "themselves; a device that is offline and was never listed before may be missing"

    /// A device answers one hello in five seconds, so that its silence may be due to another reader.
    static func silence(in home: HomeID) -> String {
        "nothing was heard of \(home): it has no devices at this broker, or the broker lists none and "
            + "another program has asked them in the last 5 s, which they answer only once: try again"
    }

    /// The broker has left devices out, as the second look shows; `nil` where both looks agree.
    static func missed(_ devices: [DeviceID], beside count: Int) -> String? {
        guard !devices.isEmpty else { return nil }
        let named = devices.prefix(3).map(\.text).joined(separator: ", ")
        let more = devices.count > 3 ? " and \(devices.count - 3) more" : ""
        return
            "the broker listed \(count) devices and left out \(named)\(more), which were heard when they "
            + "were asked for; one that is offline and was never listed before may be missing, too: "
            + "raise the broker's queue for a client (mosquitto: max_queued_messages)"
    }

    /// Names the first three devices and their missing parts; `nil` for an empty list.
    static func incomplete(
        _ missing: [(device: DeviceID, missing: RetainedParts)], largestPacket: Int?,
        over version: MQTTProtocolVersion
    ) -> String? {
        guard !missing.isEmpty else { return nil }
        let named = missing.prefix(3).map { entry in
            let parts = entry.missing.topics.map(\.rawValue).sorted().joined(separator: " and ")
            return "\(entry.device) has no \(parts)"
        }
        let more = missing.count > 3 ? ", and \(missing.count - 3) more" : ""
        let text = "incomplete at the broker: \(named.joined(separator: ", "))\(more)"
        if version == .v3_1_1 {
            return text
                + "; MQTT 3.1.1 does not tell whether the broker takes packets of 64 KiB, which a device may "
                + "need (mosquitto: max_packet_size)"
        }
        guard let limit = largestPacket, limit <= JSONLimits.wire.bytes else { return text }
        return text
            + "; the broker takes packets of at most \(limit) bytes, and a device may need 64 KiB: "
            + "raise that limit (mosquitto: max_packet_size)"
    }
}

extension RetainedParts {
    fileprivate var topics: Set<ReaderTopic> {
        var topics: Set<ReaderTopic> = []
        if contains(.description) { topics.insert(.description) }
        if contains(.presence) { topics.insert(.presence) }
        if contains(.state) { topics.insert(.state) }
        return topics
    }
}
