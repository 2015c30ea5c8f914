public import Connectivity
public import DeviceDomain
internal import DeviceMessages
internal import DeviceTopics
internal import Logging
internal import MQTTClient
internal import MQTTLink

extension MosquittoChannel {
    /// Waits until what the devices of an observed part retain has come (PROTOCOL section 1): the
    /// presences of a whole home first, then description and state by exact filters, then once more
    /// what is missing. Where the broker's replay does not show which devices there are, they are
    /// asked to announce themselves, and those that were known before are asked for by name.
    public func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        let observers = observers.values.filter { $0.home == home && $0.scope.overlaps(scope) }
        guard scope.isCovered(by: observers.map(\.scope)) else { throw .notObserved }
        do {
            for observer in observers { try await link.granted(observer.wish) }
            let isFenced = try await passFence(of: home)
            for wish in observers.compactMap(\.presenceWish) { try await link.granted(wish) }
            let replay = Replay(home: home, scope: scope, isFenced: isFenced)
            let doubt = try await findDevices(in: replay, known)
            let missing = try await fetchMissing(in: replay)
            guard isFenced else { return .incomplete("timed out waiting for retained messages") }
            if let missing { return .incomplete(missing) }
            return doubt.map { .uncertain($0) } ?? .complete
        } catch let error {
            throw CommunicationError(error)
        }
    }

    /// Makes as sure as possible that every device of a whole home is heard.
    /// - Returns: why one may still be missing.
    private func findDevices(
        in replay: Replay, _ known: @Sendable () async -> Set<DeviceID>
    ) async throws(MQTTError) -> String? {
        guard replay.scope.isWhole else { return nil }
        try await askForWildcards(of: replay.home)
        guard let roll = rolls[replay.home], !replay.isFenced || !roll.isReplayConclusive else {
            return nil
        }
        let known = await known()
        try await greet(replay.home, knowing: known.count)
        let heard = rolls[replay.home]?.heard ?? [:]
        try await fetch(known.filter { heard[$0] == nil }.sorted().map { ($0, .all) }, in: replay)
        return roll.isReplayEmpty ? Doubt.noReplay : Doubt.tooMany
    }

    /// Waits for what was asked for, and asks once more for what did not come.
    /// - Returns: what is still missing, in a sentence.
    private func fetchMissing(in replay: Replay) async throws(MQTTError) -> String? {
        guard rolls[replay.home]?.wholeObservers ?? 0 > 0 else { return nil }
        try await fetch([], in: replay)
        let missing = rolls[replay.home]?.incomplete(in: replay.scope) ?? []
        guard !missing.isEmpty else { return nil }
        try await fetch(missing, in: replay)
        return Doubt.incomplete(rolls[replay.home]?.incomplete(in: replay.scope) ?? [])
    }

    /// Asks by exact filters for what devices retain, and waits until that, and all that was asked for
    /// before, has come. Brokers may answer a SUBSCRIBE before they replay: the fence is behind both.
    private func fetch(
        _ parts: [(device: DeviceID, missing: RetainedParts)], in replay: Replay
    ) async throws(MQTTError) {
        let filters = parts.flatMap {
            TopicSubscription.device($0.device, in: replay.home, $0.missing.topics)
        }
        let wish = filters.isEmpty ? nil : link.want(requests(filters), to: sink)
        defer { if let wish { link.drop(wish) } }
        try await link.settled()
        // Where the first one did not come back, no other will.
        if replay.isFenced { _ = try await passFence(of: replay.home) }
    }

    // MARK: Fence and hello

    /// Sends a nonce to itself, behind all that the broker has begun to send.
    /// - Returns: whether it came back in time; not where the broker refuses the filter.
    private func passFence(of home: HomeID) async throws(MQTTError) -> Bool {
        if let wish = observers.values.first(where: { $0.home == home })?.fenceWish {
            do {
                try await link.granted(wish)
            } catch {
                guard error.code == .subscriptionRefused else { throw error }
                return false
            }
        }
        var generator = SystemRandomNumberGenerator()
        let nonce = String.randomHex(digits: 16, using: &generator)
        let fence = try MQTTMessage(.fence(FenceMessage(nonce: nonce), home: home))
        return try await link.passFence(
            publishing: fence,
            until: { $0.topic == fence.topic && $0.payload == fence.payload },
            within: configuration.fenceDeadline)
    }

    /// Asks every device of the home to announce itself, and listens until the time that they have for
    /// it has passed and no more answers come.
    private func greet(_ home: HomeID, knowing known: Int) async throws(MQTTError) {
        let message = helloMessage(to: home, knowing: known)
        _ = try await link.publish(try MQTTMessage(.hello(message, home: home)))
        await pause(message.spread)
        for _ in 1...Self.listeningLimit {
            let heard = rolls[home]?.partCount
            await pause(configuration.helloMargin)
            if rolls[home]?.partCount == heard { return }
        }
    }

    /// How often an answer after ``MosquittoChannelConfiguration/helloMargin`` prolongs the listening.
    private static let listeningLimit = 60

    private func pause(_ time: Duration) async {
        let slot = AnswerSlot<Bool>()
        let end = eventLoop.schedule(after: time) { slot.resolve(true) }
        _ = await slot.value(ifCancelled: false)
        end.cancel()
    }

    /// Asks every device of the home to announce itself, and waits for nothing.
    func greetWithoutWaiting(_ home: HomeID) {
        do {
            link.publishWithoutWaiting(
                try MQTTMessage(.hello(helloMessage(to: home, knowing: 0), home: home)))
        } catch {
            logger.debug("hello not sent", metadata: [LogKey.error: "\(error)"])
        }
    }

    /// Half a millisecond for each known device, so that their answers find room in the broker's queue.
    private func helloMessage(to home: HomeID, knowing known: Int) -> HelloMessage {
        var generator = SystemRandomNumberGenerator()
        let count = max(known, rolls[home]?.count ?? 0)
        return HelloMessage(
            nonce: .randomHex(digits: 16, using: &generator),
            spread: max(configuration.helloSpread, .microseconds(500) * count))
    }
}

/// What is replayed, and whether the fence came back.
private struct Replay {
    let home: HomeID
    let scope: HomeScope
    let isFenced: Bool
}

/// Why a list of devices may not be whole, as a user reads it.
private enum Doubt {
    static let noReplay =
        "the broker did not list the devices of this home, so they were asked to announce "
        + "themselves; a device that is offline and was never listed before may be missing"
    static let tooMany =
        "the broker may not have listed all devices of a home with more than "
        + "\(HomeRoll.surelyReplayed); a device that is offline and was never listed before may "
        + "be missing"

    /// Names the first three devices and what they lack; `nil` for none.
    static func incomplete(_ missing: [(device: DeviceID, missing: RetainedParts)]) -> String? {
        guard !missing.isEmpty else { return nil }
        let named = missing.prefix(3).map { entry in
            let parts = entry.missing.topics.map(\.rawValue).sorted().joined(separator: " and ")
            return "\(entry.device) has no \(parts)"
        }
        let more = missing.count > 3 ? ", and \(missing.count - 3) more" : ""
        return "incomplete at the broker: \(named.joined(separator: ", "))\(more)"
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
