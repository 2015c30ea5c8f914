internal import Connectivity
package import DeviceDomain

/// What is wrong with a bridge, and what to do.
package struct BridgeFault: Hashable, Sendable {
    /// What is wrong.
    package let reason: String
    /// What to do.
    package let remedy: String

    /// Both, for an error.
    var message: String { "\(reason): \(remedy)" }
}

extension ZigbeeChannel {
    /// The home that the devices belong to.
    package nonisolated var home: HomeID { configuration.home }

    /// How many devices the bridge has listed.
    package var deviceCount: Int { model.devices.count }

    /// Why the bridge does not work, from what it has published so far; `nil` if it does.
    package var fault: BridgeFault? {
        let base = configuration.base.text
        let bridge = "the zigbee2mqtt bridge below \(base)"
        if model.status == .offline {
            return BridgeFault(reason: "\(bridge) is offline", remedy: "start it")
        }
        if let problem = model.bridgeProblems[.description] {
            return BridgeFault(
                reason: "the device list of \(bridge) cannot be read: \(problem)",
                remedy: "restart zigbee2mqtt, and check that no other program publishes the list")
        }
        guard !model.isListed else { return nil }
        return BridgeFault(
            reason: model.status == nil
                ? "no zigbee2mqtt bridge answers below \(base)"
                : "\(bridge) is online, but has published no device list",
            remedy: "check that zigbee2mqtt runs, that its mqtt.base_topic is \(base) and that it "
                + "may retain messages")
    }
}
