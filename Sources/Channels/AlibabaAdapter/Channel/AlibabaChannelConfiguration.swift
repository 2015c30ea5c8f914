internal import Alink
public import DeviceDomain

/// Where a platform is, what of it is used, and who uses it.
public struct AlibabaChannelConfiguration: Sendable {
    /// The id of the channel.
    public let id: ChannelID
    /// The home that the devices belong to. No other home is served.
    public let home: HomeID
    /// The platform's region, such as `cn-shanghai`.
    public let region: String
    /// The keys of the products whose devices belong to the home.
    public let products: [String]
    /// Signs every request.
    public let key: AccessKey
    /// The URL of the API, `https://…`.
    public var endpoint: String
    /// The id of the platform's instance; empty where there is none.
    public var instance = ""
    /// Where the server-side subscription is; `nil` where the channel polls.
    public var subscription: SubscriptionAddress?
    /// The consumer group of the subscription.
    public var consumerGroup = "DEFAULT_GROUP"
    /// A PEM file with the authorities that are trusted; `nil` for those of the system.
    public var authorityFile: String?
    /// For a connection with TLS.
    public var connectTimeout = Duration.seconds(10)
    /// When everything is read again.
    public var timing = AlibabaTiming()
    /// The kinds of the devices of products, by their keys.
    public var kinds: [String: DeviceKind] = [:]

    public init(
        id: ChannelID, home: HomeID, region: String, products: [String], key: AccessKey,
        endpoint: String? = nil
    ) {
        self.id = id
        self.home = home
        self.region = region
        self.products = products
        self.key = key
        self.endpoint = endpoint ?? "https://iot.\(region).aliyuncs.com"
    }

    /// The products; texts that are no keys are left out.
    var productKeys: [ProductKey] { products.compactMap { ProductKey($0) } }

    /// Whether a text can be the key of a product.
    package static func isProductKey(_ text: String) -> Bool { ProductKey(text) != nil }

    var account: PlatformClient.Account {
        PlatformClient.Account(
            endpoint: endpoint, region: region, instance: instance, key: key,
            connectTimeout: connectTimeout)
    }
}

/// The host and port of a platform's server-side subscription, which speaks AMQP 1.0 over TLS.
public struct SubscriptionAddress: Hashable, Sendable, CustomStringConvertible {
    public let host: String
    public let port: UInt16

    public init(host: String, port: UInt16 = 5671) {
        self.host = host
        self.port = port
    }

    /// `amqps://HOST:PORT`
    public var description: String { "amqps://\(host):\(port)" }
}

/// When a channel reads everything again.
public struct AlibabaTiming: Hashable, Sendable {
    /// Without a subscription, at least this long after the last reading.
    public var polling: Duration
    /// Without a subscription, and for each device: so many devices ask the platform for longer.
    public var pollingPerDevice: Duration
    /// With a subscription, which tells one client of several only a part.
    public var refreshing: Duration
    /// How long an observation must last before the subscription is used: what only lists takes no messages away
    /// from other clients of the group.
    public var settling: Duration

    public init(
        polling: Duration = .seconds(10), pollingPerDevice: Duration = .milliseconds(200),
        refreshing: Duration = .seconds(270), settling: Duration = .seconds(1)
    ) {
        self.polling = polling
        self.pollingPerDevice = pollingPerDevice
        self.refreshing = refreshing
        self.settling = settling
    }
}
