package import DeviceDomain
package import MQTTClient

/// A topic of the protocol: one case for each row of PROTOCOL section 1.
package enum DeviceTopic: Hashable, Sendable {
    /// A device's description.
    case description(HomeID, DeviceID)
    /// Its presence.
    case presence(HomeID, DeviceID)
    /// Its full reported state.
    case state(HomeID, DeviceID)
    /// Samples of its signals.
    case telemetry(HomeID, DeviceID)
    /// Its events.
    case event(HomeID, DeviceID, EventName)
    /// Commands to it.
    case command(HomeID, DeviceID, CommandLane)
    /// Its acknowledgements of one controller's commands.
    case ack(HomeID, DeviceID, ControllerID)
    /// Settings that it reconciles when it connects.
    case desired(HomeID, DeviceID)
    /// "Announce yourselves", to every device of the home.
    case hello(HomeID)
    /// A reader's message to itself.
    case fence(HomeID)
}

extension DeviceTopic {
    /// The home that the topic belongs to.
    package var home: HomeID {
        switch self {
        case .description(let home, _), .presence(let home, _), .state(let home, _),
            .telemetry(let home, _), .event(let home, _, _), .command(let home, _, _),
            .ack(let home, _, _), .desired(let home, _), .hello(let home), .fence(let home):
            home
        }
    }

    /// The device that the topic belongs to, if it belongs to one.
    package var device: DeviceID? {
        switch self {
        case .description(_, let device), .presence(_, let device), .state(_, let device),
            .telemetry(_, let device), .event(_, let device, _), .command(_, let device, _),
            .ack(_, let device, _), .desired(_, let device):
            device
        case .hello, .fence: nil
        }
    }

    /// The quality of service of publishes on the topic.
    package var qos: MQTTQoS {
        switch self {
        case .telemetry, .fence: .atMostOnce
        case .description, .presence, .state, .event, .command, .ack, .desired, .hello:
            .atLeastOnce
        }
    }

    /// Whether publishes on the topic are retained.
    package var isRetained: Bool {
        switch self {
        case .description, .presence, .state, .desired: true
        case .telemetry, .event, .command, .ack, .hello, .fence: false
        }
    }
}

extension DeviceTopic {
    /// The topics on which a device's own messages are retained.
    package static func retained(by device: DeviceID, in home: HomeID) -> [DeviceTopic] {
        [.description(home, device), .state(home, device), .presence(home, device)]
    }

    /// The topics on which messages of a device are retained, its own and the settings for it.
    package static func retained(of device: DeviceID, in home: HomeID) -> [DeviceTopic] {
        retained(by: device, in: home) + [.desired(home, device)]
    }
}

extension DeviceTopic: CustomStringConvertible {
    package var description: String { text }
}
