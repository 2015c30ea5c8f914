internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// Live members of its state that a device, or the bridge for it, has published.
struct ReportedState: Hashable, Sendable {
    let device: DeviceID
    let members: JSONObject
}

/// What is known of a zigbee2mqtt bridge and its devices. A value type without clock or connection: messages
/// go in, updates come out.
///
/// Devices have their IEEE address as id. The bridge itself is a device with the id of the channel.
/// A state is the newest value of every received member: zigbee2mqtt may publish parts of it, and has no
/// revisions. Measured values are part of the state; `action`, which buttons and remotes publish, is an
/// event. While the bridge is offline, the presence of its devices is unknown.
struct BridgeModel: Sendable {
    /// The id of the bridge.
    let bridge: DeviceID
    /// The home of every device.
    let home: HomeID
    /// Counts of unusable messages.
    var counters = ZigbeeCounters()
    /// Texts for the log about entries of the last message that were left out.
    var remarks: [String] = []
    /// The live state in the last message, if there was one.
    var reported: ReportedState?

    var devices: [DeviceID: ZigbeeDevice] = [:]
    var names: [FriendlyName: DeviceID] = [:]
    /// Whether the bridge runs; `nil` if that was not received on the present connection.
    var status: PresenceReport.Status?
    /// Whether the bridge's list has come on the present connection.
    var isListed = false
    var info: BridgeInfo?
    var bridgeProfile: DeviceProfile?
    /// Problems with messages of the bridge.
    var bridgeProblems: [DevicePart: String] = [:]
    var held = HeldMessages()

    init(bridge: DeviceID, home: HomeID) {
        self.bridge = bridge
        self.home = home
    }

    /// Applies a message.
    /// - Parameter isReplay: whether it was retained, so that it does not show the present situation.
    mutating func receive(
        _ topic: BridgeTopic, _ payload: [UInt8], isReplay: Bool
    ) -> [DeviceUpdate] {
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

    /// The connection is lost: presences are unknown, and the retained messages come again on the next
    /// connection. What the bridge lists then is told again, because only a device that was heard since counts
    /// as reachable.
    mutating func linkLost() {
        status = nil
        isListed = false
        held = HeldMessages()
        for id in devices.keys {
            devices[id]?.availability = nil
            devices[id]?.isSeen = false
            devices[id]?.isTold = false
        }
    }
}
