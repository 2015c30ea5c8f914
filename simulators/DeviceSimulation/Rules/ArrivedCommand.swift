package import DeviceDomain
import DeviceMessages

/// What the Response Topic of a command is to the device that received it.
package enum ResponseTopic: Hashable, Sendable {
    /// The device's ack topic for a controller.
    case acks(ControllerID)
    /// None of the device's ack topics.
    case foreign
}

/// A payload that came on a command topic, with what came beside it.
struct ArrivedCommand: Hashable, Sendable {
    /// The bytes.
    let payload: [UInt8]
    /// Whether the retain flag was set.
    let isRetained: Bool
    /// The Response Topic of MQTT 5, if there was one.
    let responseTopic: ResponseTopic?
    /// The topic that it came on.
    let lane: CommandLane
}

/// A command that could be read, on its way through the rules.
struct PendingCommand: Sendable {
    /// What was read.
    let message: CommandMessage
    /// How it came.
    let arrival: ArrivedCommand

    /// Its name in the record.
    var key: CommandKey { CommandKey(controller: message.controller, id: message.id) }

    /// What it asks for.
    var request: BehaviourRequest { BehaviourRequest(message.name, message.arguments) }
}
