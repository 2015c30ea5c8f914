internal import Basics
internal import Connectivity
internal import DeviceDomain

extension AlibabaChannel {
    /// The pauses before the platform is tried again.
    private static let retrying = Backoff(first: .seconds(1), longest: .seconds(60))
    /// The pauses before a new login of the subscription: not more than three in five seconds.
    private static let relogin = Backoff(first: .milliseconds(2500), longest: .seconds(60))

    /// Begins to follow what changes, where that is not done yet.
    /// - Parameter delay: before the subscription takes messages.
    func beginFollowing(after delay: Duration) {
        if following.begin() {
            work.begin { [weak self] in await self?.refreshRegularly() }
        }
        guard connector != nil else { return }
        if delay == .zero {
            beginSubscribing()
        } else {
            work.begin { [weak self, clock] in
                await clock.sleep(for: delay)
                guard !Task.isCancelled else { return }
                self?.beginSubscribing()
            }
        }
    }

    private func beginSubscribing() {
        guard following.beginSubscribing() else { return }
        work.begin { [weak self] in await self?.subscribe() }
    }

    // MARK: Reading everything again

    private func refreshRegularly() async {
        while !Task.isCancelled {
            await waitForRefresh()
            guard !Task.isCancelled else { return }
            // Where opening failed, whoever opens tries again.
            if links.isConnected { await refresh() }
        }
    }

    /// Waits until everything is due, or something asks for it.
    private func waitForRefresh() async {
        let pause =
            following.isSubscribed
            ? configuration.timing.refreshing
            : max(
                configuration.timing.polling,
                configuration.timing.pollingPerDevice * hub.devices(in: .everyDevice).count)
        await withTaskGroup { group in
            group.addTask { [clock] in await clock.sleep(for: pause) }
            group.addTask { [following] in await following.waitForWish() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Reads everything that anybody is told of, again and again until that works.
    private func refresh() async {
        var failures = 0
        var generator = SystemGenerator()
        while !Task.isCancelled {
            guard let failure = await readEverything() else {
                links.api(is: .connected)
                return
            }
            guard failure.proof != .credentials else {
                // Whoever opens the channel decides whether to try again.
                lost(CommunicationError(failure), retryIn: nil)
                return
            }
            let pause = Self.retrying.wait(after: failures, scatteredBy: 0.2, using: &generator)
            failures += 1
            lost(CommunicationError(failure), retryIn: pause)
            await clock.sleep(for: pause)
        }
    }

    private func readEverything() async -> PlatformFailure? {
        guard let scope = listeners.heardScope else { return nil }
        do {
            try await lister.list()
        } catch {
            return error
        }
        let failure = await lister.readProperties(of: scope)
        return failure?.isAboutLink == true ? failure : nil
    }

    // MARK: The subscription

    /// Receives, with a new login after each end of a connection, until the task is cancelled.
    func subscribe() async {
        var failures = 0
        var generator = SystemGenerator()
        while !Task.isCancelled {
            let reason: String
            do {
                let (wasAttached, end) = try await session()
                // From now on everything is read more often.
                if wasAttached {
                    failures = 0
                    following.wish()
                }
                reason = end
            } catch {
                tell(error.message)
                return
            }
            guard !Task.isCancelled else { return }
            tell(reason)
            let pause = Self.relogin.wait(after: failures)
            failures += 1
            await clock.sleep(
                for: pause + Backoff.jittered(pause * 0.2, using: &generator))
        }
    }

    /// One login, until its connection ends.
    /// - Returns: whether messages came, and why it ended.
    private func session() async throws(SubscriptionUnavailable) -> (Bool, reason: String) {
        guard let connector else { return (false, "") }
        let login = SubscriptionLogin(
            client: following.client, key: configuration.key, instance: configuration.instance,
            group: configuration.consumerGroup, at: clock.now.wall)
        let connection = try connector.connect(login)
        defer { connection.stop() }
        var wasAttached = false
        for await event in connection.events {
            switch event {
            case .attached:
                wasAttached = true
                following.subscribed(true)
                links.subscription(has: nil)
                // Before that, messages may have gone to nobody.
                following.wish()
            case .message(let message):
                if hub.receive(message, at: client.platformTime) { following.wish() }
                connection.accept(message.delivery)
            case .ended(let reason):
                following.subscribed(false)
                let words = ForeignText(reason, hiding: [login.password, configuration.key.secret])
                return (wasAttached, "\(words)")
            }
        }
        return (wasAttached, "")
    }

    private func tell(_ reason: String) {
        let address = configuration.subscription.map { "\($0)" } ?? "AMQP"
        links.subscription(
            has: CommunicationError(
                .unreachable,
                "the AMQP subscription \(address) does not work: \(reason); everything is read "
                    + "regularly instead", certainty: .neverLeft, isRetriable: true))
    }
}
