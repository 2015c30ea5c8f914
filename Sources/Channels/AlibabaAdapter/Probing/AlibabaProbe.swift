internal import Alink
internal import DeviceDomain

/// What a platform and its subscription answer to one attempt each. Nothing is sent to a device.
package struct AlibabaProbeReport: Sendable {
    /// What the API answered.
    package enum API: Hashable, Sendable {
        /// It takes the key, and lists so many devices of the products.
        case works(devices: Int)
        /// It refuses the key or the request's time, with the platform's words.
        case keyRefused(String)
        /// It refuses the call, with the platform's words.
        case refused(String)
        /// It cannot be reached.
        case unreachable(String)
        /// Its certificate is not accepted.
        case tlsRefused(String)
    }

    /// What the subscription answered.
    package enum Subscription: Hashable, Sendable {
        /// The channel has none.
        case none
        /// It lets this client receive.
        case works
        /// It does not work, for this reason.
        case failed(String)
    }

    package let api: API
    /// How far the platform's clock is ahead of this machine's; `nil` where it did not say.
    package let clockOffset: Duration?
    package let subscription: Subscription
    /// Other clients of the consumer group, each of which gets a part of the messages; `nil` where the platform does not
    /// say.
    package let otherClients: Int?
}

/// Tries a platform and its subscription.
package struct AlibabaProbe: Sendable {
    /// For the subscription, from the connection to the first credit.
    private static let attachTimeout = Duration.seconds(15)

    private let configuration: AlibabaChannelConfiguration
    private let client: PlatformClient
    private let connector: (any SubscriptionConnector)?
    private let clock: any CommandClock

    package init(_ configuration: AlibabaChannelConfiguration) {
        self.init(
            configuration, transport: LazyHTTPSTransport(authority: configuration.authorityFile),
            connector: configuration.subscription.map {
                AMQPConnector(
                    host: $0.host, port: $0.port, authority: configuration.authorityFile)
            }, clock: MachineClock())
    }

    init(
        _ configuration: AlibabaChannelConfiguration, transport: any PlatformTransport,
        connector: (any SubscriptionConnector)?, clock: any CommandClock
    ) {
        self.configuration = configuration
        client = PlatformClient(configuration.account, over: transport, clock: clock)
        self.connector = connector
        self.clock = clock
    }

    package func run() async -> AlibabaProbeReport {
        let api = await api()
        // Before the own login, which would count.
        let others = connector == nil ? nil : await otherClients()
        return AlibabaProbeReport(
            api: api, clockOffset: client.platformOffset, subscription: await subscription(),
            otherClients: others)
    }

    private func api() async -> AlibabaProbeReport.API {
        var devices = 0
        for product in configuration.productKeys {
            do {
                let answer = try await client.read(.devices(of: product, page: 1))
                let total = answer.members["Total"]
                devices += total?.integer ?? total?.string.flatMap { Int($0) } ?? 0
            } catch {
                return AlibabaProbeReport.API(error)
            }
        }
        return .works(devices: devices)
    }

    private func otherClients() async -> Int? {
        let request = PlatformRequest.clients(of: configuration.consumerGroup)
        guard let answer = try? await client.read(request) else { return nil }
        let list = answer.members["ClientConnectionStatusList"]
        let entries = list?.object?.values.lazy.compactMap(\.array).first ?? list?.array
        return entries?.count
    }

    private func subscription() async -> AlibabaProbeReport.Subscription {
        guard let connector else { return .none }
        let login = SubscriptionLogin(
            client: "homeport-doctor-\(UInt64.random(in: .min ... .max))", key: configuration.key,
            instance: configuration.instance, group: configuration.consumerGroup, at: clock.now.wall
        )
        let connection: any SubscriptionConnection
        do {
            connection = try connector.connect(login)
        } catch {
            return .failed(error.message)
        }
        defer { connection.stop() }
        let hidden = [login.password, configuration.key.secret]
        return await withTaskGroup(of: AlibabaProbeReport.Subscription.self) { group in
            group.addTask {
                // What comes is not accepted, so that it goes to another client or comes again.
                for await event in connection.events {
                    switch event {
                    case .attached: return .works
                    case .message: break
                    case .ended(let reason):
                        return .failed("\(ForeignText(reason, hiding: hidden))")
                    }
                }
                return .failed("the attempt was cancelled")
            }
            group.addTask { [clock] in
                await clock.sleep(for: Self.attachTimeout)
                return .failed("it did not let this client receive in time")
            }
            defer { group.cancelAll() }
            return await group.next() ?? .none
        }
    }
}

extension AlibabaProbeReport.API {
    fileprivate init(_ failure: PlatformFailure) {
        switch failure.proof {
        case .credentials: self = .keyRefused(failure.text)
        case .tlsRefused: self = .tlsRefused(failure.text)
        case .unreachable, .unusable, .unknown: self = .unreachable(failure.text)
        case .refused, .failed, .throttled: self = .refused(failure.text)
        }
    }
}
