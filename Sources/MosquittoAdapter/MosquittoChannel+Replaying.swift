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
            guard try await passFence(of: home) else {
                return .incomplete("timed out waiting for retained messages")
            }
            for wish in observers.compactMap(\.presenceWish) { try await link.granted(wish) }
            var doubt: String?
            if scope == .everyDevice {
                try await askForDescriptions(of: home)
                doubt = try await findDevices(of: home, known)
            }
            if let missing = try await fetchMissing(home, scope) { return .incomplete(missing) }
            return doubt.map { .uncertain($0) } ?? .complete
        } catch let error {
            throw CommunicationError(error)
        }
    }

    /// Makes as sure as possible that every device of the home is asked for.
    /// - Returns: why one may still be missing.
    private func findDevices(
        of home: HomeID, _ known: @Sendable () async -> Set<DeviceID>
    ) async throws(MQTTError) -> String? {
        guard let roll = rolls[home], !roll.isReplayConclusive else { return nil }
        let heard = roll.heard
        askForDevices(
            await known().filter { heard[$0] == nil }.sorted(), of: home,
            [.description, .presence, .state])
        try await greet(home)
        return roll.isReplayEmpty ? Doubt.noReplay : Doubt.tooMany
    }

    /// Waits for what was asked for by exact filters, and asks once more for what did not come.
    /// - Returns: what is still missing, in a sentence.
    private func fetchMissing(_ home: HomeID, _ scope: HomeScope) async throws(MQTTError) -> String?
    {
        try await passExactFilters(of: home)
        let missing = rolls[home]?.incomplete(in: scope) ?? []
        guard !missing.isEmpty else { return nil }
        link.replay(
            missing.flatMap { entry in
                TopicSubscription.device(entry.device, in: home, entry.missing.topics)
            }
            .flatMap { requests([$0]) }.map(\.filter))
        try await passExactFilters(of: home)
        return Doubt.incomplete(rolls[home]?.incomplete(in: scope) ?? [])
    }

    /// Brokers may answer a SUBSCRIBE before they replay: the fence is behind both.
    private func passExactFilters(of home: HomeID) async throws(MQTTError) {
        guard rolls[home]?.wholeObservers ?? 0 > 0 else { return }
        try await link.settled()
        _ = try await passFence(of: home)
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

    /// Asks every device of the home to announce itself, and listens until they have done so.
    private func greet(_ home: HomeID) async throws(MQTTError) {
        let message = try MQTTMessage(.hello(helloMessage(to: home), home: home))
        _ = try await link.publish(message)
        let slot = AnswerSlot<Bool>()
        let listening = helloSpread(of: home) + configuration.helloMargin
        let end = eventLoop.schedule(after: listening) { slot.resolve(true) }
        _ = await slot.value(ifCancelled: false)
        end.cancel()
    }

    /// Asks every device of the home to announce itself, and waits for nothing.
    func greetWithoutWaiting(_ home: HomeID) {
        do {
            link.publishWithoutWaiting(
                try MQTTMessage(.hello(helloMessage(to: home), home: home)))
        } catch {
            logger.debug("hello not sent", metadata: [LogKey.error: "\(error)"])
        }
    }

    private func helloMessage(to home: HomeID) -> HelloMessage {
        var generator = SystemRandomNumberGenerator()
        return HelloMessage(
            nonce: .randomHex(digits: 16, using: &generator), spread: helloSpread(of: home))
    }

    /// Half a millisecond for each known device, so that their answers find room in the broker's queue.
    private func helloSpread(of home: HomeID) -> Duration {
        max(configuration.helloSpread, .microseconds(500) * (rolls[home]?.count ?? 0))
    }
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
