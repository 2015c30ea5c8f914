/// A topic between a device and its platform, and whose it is.
package struct AlinkTopic: Hashable, Sendable {
    /// What travels on a topic.
    package enum Content: Hashable, Sendable {
        /// A device posts properties.
        case properties
        /// A device posts an event of this identifier.
        case event(String)
        /// A device asks something else: the levels after `thing`.
        case inquiry(String)
        /// The platform answers a post or an inquiry.
        indirect case answer(Content)
        /// Properties are set.
        case setting
        /// A service of this identifier is called.
        case service(String)
        /// A device answers a setting or a call.
        indirect case reply(Content)
        /// Whether the device is connected; retained, from the broker's plugin.
        case status
    }

    /// The device.
    package let name: ThingName
    /// What travels on it.
    package let content: Content

    package init(_ name: ThingName, _ content: Content) {
        self.name = name
        self.content = content
    }

    /// What a controller subscribes to: everything of every device.
    package static let filters = ["/sys/+/+/thing/#", "/as/mqtt/status/+/+"]

    /// Reads a topic; `nil` for one that is of no device or has another meaning.
    package init?(_ text: String) {
        let levels = text.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count > 4, levels[0].isEmpty else { return nil }
        if levels[1] == "as" {
            guard levels.count == 6, levels[2] == "mqtt", levels[3] == "status",
                let name = Self.name(levels[4], levels[5])
            else { return nil }
            self.init(name, .status)
            return
        }
        guard levels[1] == "sys", levels[4] == "thing", let name = Self.name(levels[2], levels[3]),
            let content = Content(levels.dropFirst(5).joined(separator: "/"))
        else { return nil }
        self.init(name, content)
    }

    private static func name(_ product: Substring, _ device: Substring) -> ThingName? {
        ProductKey(product).flatMap { ThingName(product: $0, device: device) }
    }

    /// The topic as it is on the wire.
    package var text: String {
        guard content != .status else {
            return "/as/mqtt/status/\(name)"
        }
        return "/sys/\(name)/thing/\(content.suffix)"
    }
}

extension AlinkTopic.Content {
    private static let replySuffix = "_reply"

    /// What devices ask beside posting, and are told that it was heard.
    private static let inquiries: Set<String> = [
        "event/property/pack/post", "event/property/history/post", "property/desired/get",
        "property/desired/delete", "deviceinfo/update", "deviceinfo/delete",
    ]

    /// Reads the levels after `thing`.
    fileprivate init?(_ suffix: String) {
        if suffix.hasSuffix(Self.replySuffix) {
            guard let asked = Self(suffix: String(suffix.dropLast(Self.replySuffix.count))) else {
                return nil
            }
            self = asked.isOfDevice ? .answer(asked) : .reply(asked)
        } else if let content = Self(suffix: suffix) {
            self = content
        } else {
            return nil
        }
    }

    private init?(suffix: String) {
        let levels = suffix.split(separator: "/", omittingEmptySubsequences: false)
        if Self.inquiries.contains(suffix) {
            self = .inquiry(suffix)
        } else if suffix == "service/property/set" {
            self = .setting
        } else if levels.count == 2, levels[0] == "service", !levels[1].isEmpty {
            self = .service(String(levels[1]))
        } else if levels.count == 3, levels[0] == "event", levels[2] == "post", !levels[1].isEmpty {
            self = levels[1] == "property" ? .properties : .event(String(levels[1]))
        } else {
            return nil
        }
    }

    /// Whether a device begins with it.
    private var isOfDevice: Bool {
        switch self {
        case .properties, .event, .inquiry: true
        case .answer, .setting, .service, .reply, .status: false
        }
    }

    /// The levels after `thing`.
    fileprivate var suffix: String {
        switch self {
        case .properties: "event/property/post"
        case .event(let identifier): "event/\(identifier)/post"
        case .inquiry(let levels): levels
        case .setting: "service/property/set"
        case .service(let identifier): "service/\(identifier)"
        case .answer(let asked), .reply(let asked): asked.suffix + Self.replySuffix
        case .status: ""
        }
    }

    /// The `method` of a request: the levels with dots.
    package var method: String {
        "thing." + suffix.split(separator: "/").joined(separator: ".")
    }

    /// What a method of a command asks for; `nil` for other methods.
    package init?(commandMethod method: String) {
        let prefix = "thing.service."
        guard method.hasPrefix(prefix) else { return nil }
        let identifier = String(method.dropFirst(prefix.count))
        if identifier == "property.set" {
            self = .setting
        } else if !identifier.isEmpty, !identifier.contains("/") {
            self = .service(identifier)
        } else {
            return nil
        }
    }
}
