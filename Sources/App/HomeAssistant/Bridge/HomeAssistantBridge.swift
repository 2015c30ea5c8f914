internal import Basics
public import Homeport

/// Announces the devices of a home to Home Assistant by MQTT discovery, and turns its commands into
/// commands of the home.
public struct HomeAssistantBridge: Sendable {
    /// Commands and removals that wait at a time; more commands are refused.
    static let waitingCommands = 256
    /// How long it waits before it tries again to reach a broker that was never there.
    private static let pause = Duration.seconds(1)
    /// The waits between attempts to know every device of the home.
    private static let surveying = Backoff(first: pause, longest: .seconds(60))
    /// How long the end waits for what is still to be sent.
    private static let drainTime = Duration.seconds(2)

    private let home: Home
    private let connection: BrokerConnection
    private let topics: BridgeTopics
    private let report: @Sendable (HomeAssistantNotice) -> Void

    /// A bridge that does nothing yet.
    /// - Parameters:
    ///   - home: must run while the bridge does.
    ///   - connection: the broker of Home Assistant.
    ///   - prefix: Home Assistant's discovery prefix.
    ///   - report: is told what a person may want to know.
    public init(
        _ home: Home, over connection: BrokerConnection, prefix: DiscoveryPrefix = .standard,
        report: @escaping @Sendable (HomeAssistantNotice) -> Void
    ) {
        self.home = home
        self.connection = connection
        topics = BridgeTopics(prefix: prefix, home: home.id)
        self.report = report
    }

    /// Works until the task is cancelled; then every entity becomes unavailable.
    /// - Throws: ``HomeAssistantError`` `noConnection` if the broker refuses the connection for good.
    public func run() async throws(HomeAssistantError) {
        let eventLoop: MQTTEventLoop
        let client: MQTTClient
        do {
            eventLoop = try MQTTEventLoop(label: "home-assistant")
            client = MQTTClient(configuration: try configuration(), eventLoop: eventLoop)
        } catch {
            throw HomeAssistantError(.noConnection, "\(error.message)")
        }
        let failure = await work(client)
        if let status = try? message(BridgeDocument(topics.status, "offline")) {
            await client.publishWithoutWaiting(status)
        }
        await client.disconnect(drainingFor: Self.drainTime)
        await eventLoop.shutdown()
        if let failure { throw failure }
    }

    private func configuration() throws(MQTTError) -> MQTTConfiguration {
        let suffix = UInt32.random(in: .min ... .max)
        var configuration = MQTTConfiguration(
            broker: connection.broker, fallbackBrokers: connection.otherBrokers,
            security: connection.security,
            clientID: try MQTTClientID("\(home.controller)-ha-\(String(suffix, radix: 16))"),
            version: connection.version, keepAlive: .seconds(15),
            will: MQTTWill(try message(BridgeDocument(topics.status, "offline"))),
            credentials: connection.credentials, connectTimeout: connection.connectTimeout)
        configuration.isClientIDUnique = true
        configuration.locator = connection.locator
        return configuration
    }

    private func message(_ document: BridgeDocument) throws(MQTTError) -> MQTTMessage {
        MQTTMessage(
            topic: try MQTTTopic(document.topic), payload: document.payload, qos: .atLeastOnce,
            retain: true)
    }

    // MARK: Work

    /// - Returns: why it ended; `nil` for a cancelled task.
    private func work(_ client: MQTTClient) async -> HomeAssistantError? {
        do throws(MQTTError) {
            try await connect(client)
            let worker = BridgeWorker(home, client, topics, report)
            // The broker may send what it has stored before it answers.
            let messages = try await subscribe(client)
            return await withTaskGroup { group in
                defer { group.cancelAll() }
                group.addTask { await follow(client, worker) }
                group.addTask { await read(messages, worker) }
                group.addTask { await followHome(worker) }
                group.addTask { await worker.work() }
                return await group.next() ?? nil
            }
        } catch {
            return error.code == .cancelled ? nil : .lost(error)
        }
    }

    /// Connects; a broker that is away is tried again until the task is cancelled.
    private func connect(_ client: MQTTClient) async throws(MQTTError) {
        var isTold = false
        while true {
            do {
                try await client.connect()
                return
            } catch {
                guard error.isRetriable, !Task.isCancelled else { throw error }
                if !isTold { report(.waiting(.lost(error))) }
                isTold = true
            }
            // A cancelled sleep lets the next attempt end at once.
            try? await Task.sleep(for: Self.pause)
        }
    }

    private func subscribe(_ client: MQTTClient) async throws(MQTTError) -> MQTTSubscription {
        var requests: [MQTTSubscriptionRequest] = []
        for filter in topics.filters {
            requests.append(MQTTSubscriptionRequest(try MQTTTopicFilter(filter)))
        }
        return try await client.subscribe(to: requests)
    }

    private func follow(_ client: MQTTClient, _ worker: BridgeWorker) async -> HomeAssistantError? {
        for await state in client.connectionEvents {
            switch state {
            case .connected: await worker.apply { $0.connected() }
            case .disconnected(let error, retryIn: nil): return .lost(error)
            case .closed, .connecting, .closing, .disconnected: break
            }
        }
        return nil
    }

    private func read(
        _ messages: MQTTSubscription, _ worker: BridgeWorker
    ) async -> HomeAssistantError? {
        do throws(MQTTError) {
            for try await message in messages {
                await worker.apply {
                    $0.received(
                        message.topic.rawValue, message.payload, retained: message.retain)
                }
            }
            return nil
        } catch {
            return .lost(error)
        }
    }

    private func followHome(_ worker: BridgeWorker) async -> HomeAssistantError? {
        await withTaskGroup { group in
            group.addTask { await survey(worker) }
            for await change in home.changes() {
                guard case .device(let change) = change else { continue }
                await worker.update(change)
            }
            group.cancelAll()
        }
        return nil
    }

    /// Tells when every device of the home is known, which may take several attempts. While one may be
    /// missing, nothing is removed.
    private func survey(_ worker: BridgeWorker) async {
        var failures = 0
        while !Task.isCancelled {
            if let survey = try? await home.survey(), survey.doubts.isEmpty,
                survey.failures.isEmpty
            {
                for device in survey.devices { await worker.update(device.id) }
                return await worker.apply { $0.surveyed() }
            }
            // A cancelled sleep ends it.
            do { try await Task.sleep(for: Self.surveying.wait(after: failures)) } catch { return }
            failures += 1
        }
    }
}

extension HomeAssistantError {
    fileprivate static func lost(_ error: MQTTError) -> HomeAssistantError {
        HomeAssistantError(.noConnection, "\(error.message)")
    }
}
