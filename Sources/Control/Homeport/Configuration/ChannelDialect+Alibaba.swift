internal import AlibabaAdapter
internal import Alink
internal import Basics
internal import Connectivity
internal import DeviceDomain
internal import MQTTClient
internal import YAMLText

extension ChannelDialect {
    static let alibabaCloud = ChannelDialect(
        .alibabaCloud,
        members: [
            "region", "instance", "products", "consumer-group", "endpoint", "amqp", "credentials",
            "ca-file", "models",
        ]
    ) { line throws(YAMLProblem) in
        let platform = try AlibabaPlatform(line)
        return .other(connectTimeout: try line.connectTimeout()) { timeout in
            .alibabaCloud(platform, connectTimeout: timeout)
        }
    }
}

/// What a line says of a platform.
struct AlibabaPlatform: Sendable {
    let id: ChannelID
    let region: String
    let instance: String
    let products: [String]
    let group: String
    let endpoint: String?
    let subscription: SubscriptionAddress?
    let key: AccessKey
    let authorityFile: String?
    let kinds: [String: DeviceKind]

    init(_ line: ChannelLine) throws(YAMLProblem) {
        let (node, members) = (line.node, line.members)
        id = line.id
        region = try node.required("region", of: members).word("a region, such as cn-shanghai")
        products = try Self.products(try node.required("products", of: members))
        instance = try members["instance"]?.word("the id of an instance, such as iot-cn-xxxx") ?? ""
        group = try members["consumer-group"]?.word("a consumer group") ?? "DEFAULT_GROUP"
        endpoint = try members["endpoint"]?.endpoint()
        subscription = try members["amqp"]?.subscription()
        authorityFile = try members["ca-file"]?.authorities()
        kinds = try members["models"]?.kinds() ?? [:]
        let named = try node.required("credentials", of: members)
        let credentials = try named.credentials()
        guard let secret = credentials.password, !secret.isEmpty else {
            throw named.error(
                "the credentials have no password=… line; write the secret of the AccessKey there")
        }
        key = AccessKey(id: credentials.username, secret: secret)
    }

    /// How a channel uses it.
    func configuration(in home: HomeID, connectTimeout: Duration) -> AlibabaChannelConfiguration {
        var configuration = AlibabaChannelConfiguration(
            id: id, home: home, region: region, products: products, key: key, endpoint: endpoint)
        configuration.instance = instance
        configuration.consumerGroup = group
        configuration.subscription = subscription
        configuration.authorityFile = authorityFile
        configuration.connectTimeout = connectTimeout
        configuration.kinds = kinds
        return configuration
    }

    /// The URL of the API, as messages name it.
    var address: String { endpoint ?? "https://iot.\(region).aliyuncs.com" }

    private static func products(_ node: YAMLNode) throws(YAMLProblem) -> [String] {
        var products: [String] = []
        for item in try node.items() {
            let text = try item.text()
            guard AlibabaChannelConfiguration.isProductKey(text) else {
                throw item.error("\(text) is not the key of a product, such as a1B2c3D4e5F")
            }
            guard !products.contains(text) else {
                throw item.error("the product \(text) is given twice")
            }
            products.append(text)
        }
        guard !products.isEmpty else { throw node.error("name at least one product by its key") }
        return products
    }
}

extension YAMLNode {
    /// A text of letters, digits, hyphens and underscores.
    fileprivate func word(_ noun: String) throws(YAMLProblem) -> String {
        let text = try text()
        let isWord = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isWord, text.utf8.count <= 128 else {
            throw error("\(text) is not \(noun): use letters, digits, hyphens and underscores")
        }
        return text
    }

    /// The URL of an API.
    fileprivate func endpoint() throws(YAMLProblem) -> String {
        let (place, path) = try place(after: "https://")
        guard !path.contains(where: { $0 == "?" || $0 == "#" || $0.isWhitespace }) else {
            throw error(
                "the endpoint has no query and no fragment, such as https://iot.cn-shanghai.aliyuncs.com"
            )
        }
        return "https://\(place)\(path.isEmpty ? "/" : path)"
    }

    /// The URL of a subscription.
    fileprivate func subscription() throws(YAMLProblem) -> SubscriptionAddress {
        let (place, path) = try place(after: "amqps://")
        guard path.isEmpty || path == "/" else {
            throw error("the URL of a subscription has no path; write amqps://HOST:PORT")
        }
        return SubscriptionAddress(host: place.host, port: place.port ?? 5671)
    }

    /// Host and path of a URL.
    private func place(after scheme: String) throws(YAMLProblem) -> (HostAndPort, path: String) {
        let text = try text()
        guard text.lowercased().hasPrefix(scheme) else {
            throw error("write \(scheme)HOST, since the key is worth protection")
        }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else {
            throw error(
                "a URL has no user name and password; write them into the file that credentials names"
            )
        }
        guard let place = HostAndPort(authority), place.port != 0,
            !place.host.contains(where: { $0.isWhitespace })
        else { throw error("\(scheme)\(authority) names no host, or not a port from 1 to 65535") }
        return (place, String(rest.dropFirst(authority.count)))
    }

    /// The path of a file with certificates.
    func authorities() throws(YAMLProblem) -> String {
        let path = try file()
        let text: String
        do {
            text = try TextFile(path: path, for: "authority").text()
        } catch {
            throw self.error("\(error)")
        }
        guard text.contains("BEGIN CERTIFICATE") else {
            throw error("\(path) has no certificate in PEM; name the file of an authority")
        }
        return path
    }

    /// The kinds that a folder of models names.
    fileprivate func kinds() throws(YAMLProblem) -> [String: DeviceKind] {
        let path = try file()
        do {
            let kinds = try ThingModelFolder(path: path).kinds
            return Dictionary(kinds.map { ($0.key.text, $0.value) }) { first, _ in first }
        } catch {
            throw self.error("\(error)")
        }
    }
}
