/// A topic of zigbee2mqtt 2.x, without its base.
enum BridgeTopic: Hashable, Sendable {
    /// `bridge/state`: whether the bridge runs; its will says offline.
    case state
    /// `bridge/info`: version, coordinator and settings.
    case info
    /// `bridge/devices`: every device of the network.
    case devices
    /// `bridge/event`: devices that join, leave or are interviewed.
    case event
    /// `bridge/logging`: lines of the bridge's log.
    case logging
    /// `bridge/response/…`: the answer to a request of this name.
    case response(String)
    /// A topic of a device or a group: its name, or its name and `/availability`.
    case entity(String)
    /// A topic that is not meant for readers: requests of other clients, and our own fence.
    case foreign

    /// Parses the part of a topic after the base.
    init(_ suffix: String) {
        guard suffix.utf8.starts(with: "bridge/".utf8) else {
            self = Self.isRequest(suffix) ? .foreign : .entity(suffix)
            return
        }
        switch suffix {
        case "bridge/state": self = .state
        case "bridge/info": self = .info
        case "bridge/devices": self = .devices
        case "bridge/event": self = .event
        case "bridge/logging": self = .logging
        default:
            let response = "bridge/response/"
            self =
                suffix.hasPrefix(response)
                ? .response(String(suffix.dropFirst(response.count))) : .foreign
        }
    }

    /// Whether it is a request to a device: `…/set`, `…/set/attribute`, `…/get`.
    private static func isRequest(_ suffix: String) -> Bool {
        ["/set", "/get"].contains { suffix.hasSuffix($0) || suffix.contains("\($0)/") }
    }

    /// The topic of the fence. zigbee2mqtt only reads requests below `bridge/request/` and topics that end in
    /// `/set` or `/get`, and device names cannot begin with `bridge/`.
    static let fence = "bridge/homeport/fence"
}
