internal import Alink
internal import DeviceDomain
internal import DeviceMessages

/// A message of the platform's server-side subscription.
enum SubscribedMessage: Hashable, Sendable {
    /// A device has posted properties: each value as it is on the wire, and when.
    case properties(ThingName, [String: TimedValue])
    /// A device has reported an event.
    case event(ThingName, identifier: String, detail: JSONObject, at: Timestamp)
    /// A device came or went.
    case status(ThingName, isOnline: Bool, at: Timestamp)
    /// A device was created, deleted, enabled or disabled.
    case lifecycle(ThingName, action: String)
    /// A device, or the platform for it, has answered a message.
    case reply(ThingName, messageID: String, code: Int, message: String, data: JSONObject)

    /// A value and its time.
    struct TimedValue: Hashable, Sendable {
        let value: JSONValue
        let at: Timestamp
    }

    /// Reads a message.
    /// - Parameter generated: when the platform made it, for what has no time of its own.
    /// - Returns: `nil` for one that is of no known kind, or that cannot be read.
    init?(topic: String, body: [UInt8], generated: Timestamp) {
        guard let topic = SubscriptionTopic(topic),
            let members = (try? JSONReader.read(body, limits: Self.limits))?.object
        else { return nil }
        switch topic.kind {
        case .properties:
            guard let items = members["items"]?.object else { return nil }
            let posted = members.time("gmtCreate") ?? generated
            self = .properties(
                topic.device,
                items.compactMapValues { item in
                    guard let item = item.object, let value = item["value"] else { return nil }
                    return TimedValue(value: value, at: item.time("time") ?? posted)
                })
        case .event(let identifier):
            self = .event(
                topic.device, identifier: members["identifier"]?.string ?? identifier,
                detail: members["value"]?.object ?? [:],
                at: members.time("time") ?? members.time("gmtCreate") ?? generated)
        case .status:
            guard let status = members["status"]?.string, ["online", "offline"].contains(status)
            else { return nil }
            self = .status(
                topic.device, isOnline: status == "online", at: members.statusTime ?? generated)
        case .lifecycle:
            guard let action = members["action"]?.string else { return nil }
            self = .lifecycle(topic.device, action: action)
        case .reply:
            guard let id = JSONDigits.text(of: "requestId", in: body),
                let code = members["code"]?.integer ?? members["code"]?.string.flatMap({ Int($0) })
            else { return nil }
            self = .reply(
                topic.device, messageID: id, code: code,
                message: members["message"]?.string ?? "", data: members["data"]?.object ?? [:])
        }
    }

    private static let limits = JSONLimits(bytes: 1 << 20, depth: 32)
}

/// The topic of a message of the subscription.
private struct SubscriptionTopic {
    enum Kind {
        case properties
        case event(String)
        case status, lifecycle, reply
    }

    let device: ThingName
    let kind: Kind

    init?(_ topic: String) {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .map(String.init)
        let kind: Kind
        let names: ArraySlice<String>
        if levels.count == 5, Array(levels[..<3]) == ["as", "mqtt", "status"] {
            (kind, names) = (.status, levels[3...])
        } else {
            guard levels.count >= 4, levels[2] == "thing" else { return nil }
            names = levels[..<2]
            let rest = Array(levels[3...])
            switch rest {
            case ["event", "property", "post"]: kind = .properties
            case ["lifecycle"]: kind = .lifecycle
            case ["downlink", "reply", "message"]: kind = .reply
            default:
                guard rest.count == 3, rest[0] == "event", rest[2] == "post" else { return nil }
                kind = .event(rest[1])
            }
        }
        guard topic.hasPrefix("/"), let product = names.first.flatMap({ ProductKey($0) }),
            let device = names.last.flatMap({ ThingName(product: product, device: $0) })
        else { return nil }
        self.device = device
        self.kind = kind
    }
}

extension JSONObject {
    /// A time in milliseconds, as a number or as a text.
    func time(_ name: String) -> Timestamp? {
        let value = self[name]
        let number = value?.integer ?? value?.string.flatMap { Int($0) }
        return number.flatMap { $0 > 0 ? Timestamp(milliseconds: $0) : nil }
    }

    /// When a device came or went: the last time that it was heard. Without a zone the platform means Beijing.
    fileprivate var statusTime: Timestamp? {
        for name in ["utcLastTime", "utcTime"] {
            if let time = self[name]?.string.flatMap({ Timestamp($0) }) { return time }
        }
        for name in ["lastTime", "time"] {
            guard let text = self[name]?.string else { continue }
            let moment = text.split(separator: " ").joined(separator: "T")
            if let time = Timestamp("\(moment)+08:00") { return time }
        }
        return nil
    }
}
