internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// Something that was heard of a device.
struct DeviceNews: Hashable, Sendable {
    let device: DeviceID
    let content: Observation.Content
}

/// Members of its state that a device, or the bridge for it, published just now.
struct ReportedState: Hashable, Sendable {
    let device: DeviceID
    let members: JSONObject
}

/// What is known of a zigbee2mqtt bridge and its devices, as a value: messages go in, news come
/// out. It has no clock and no link.
///
/// Devices have their IEEE address as id. The bridge itself is a device with the id of the channel.
/// A state is the newest value of every member that was heard: zigbee2mqtt may publish parts of it,
/// and gives no revisions. What a device measures is a part of its state; `action`, which a button
/// or a remote publishes, is an event. Nothing vouches for a device while the bridge is offline.
struct BridgeModel: Sendable {
    /// The id of the bridge.
    let bridge: DeviceID
    /// The home of every device.
    let home: HomeID
    /// What could not be used.
    var counters = ZigbeeCounters()
    /// What the last message left out, in words, for the log.
    var remarks: [String] = []
    /// What the last message said of a device's state just now.
    var reported: ReportedState?

    var devices: [DeviceID: ZigbeeDevice] = [:]
    var names: [FriendlyName: DeviceID] = [:]
    /// Whether the bridge runs; `nil` if it did not say on the present connection.
    var status: PresenceReport.Status?
    /// Whether the bridge's list has come on the present connection.
    var isListed = false
    var info: BridgeInfo?
    var bridgeProfile: DeviceProfile?
    /// What the bridge says wrongly.
    var bridgeProblems: [DevicePart: String] = [:]
    var held = HeldMessages()

    init(bridge: DeviceID, home: HomeID) {
        self.bridge = bridge
        self.home = home
    }

    /// Takes in a message.
    /// - Parameter isReplay: whether the broker had kept it, so that it says nothing of now.
    mutating func receive(
        _ topic: BridgeTopic, _ payload: [UInt8], isReplay: Bool
    ) -> [DeviceNews] {
        remarks = []
        reported = nil
        switch topic {
        case .state: return bridgeState(payload)
        case .info: return bridgeInfo(payload)
        case .devices: return bridgeDevices(payload)
        case .event: return isReplay ? [] : bridgeEvent(payload)
        case .entity(let text): return entity(FriendlyName(text), payload, isReplay)
        case .logging, .response, .foreign: return []
        }
    }

    /// The link is lost: what vouched for presences does not hold any more, and the retained
    /// messages come again with the next connection.
    mutating func linkLost() {
        status = nil
        isListed = false
        held = HeldMessages()
        for id in devices.keys {
            devices[id]?.availability = nil
            devices[id]?.wasHeard = false
        }
    }
}
