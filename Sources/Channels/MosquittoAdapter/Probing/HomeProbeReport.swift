package import DeviceDomain
package import MQTTClient
package import MQTTLink

/// What a diagnosis has observed on a broker.
package struct HomeProbeReport: Sendable {
    /// The accepted connection.
    package let connection: MQTTConnectionInfo
    /// Who asked the devices.
    package let asker: ControllerID
    /// Why the connection was lost before everything was tried.
    package var interruption: MQTTError?
    /// Filters that the broker refuses, with its reason.
    package var refusedFilters: [String: MQTTReasonCode] = [:]
    /// Topics on which the broker refuses messages, with its reason.
    package var refusedTopics: [String: MQTTReasonCode] = [:]
    /// Whether a message to the fence came back; `nil` if that was not tried.
    package var isFenceHeard: Bool?
    /// To which filters retained messages are replayed.
    package var replay = RetainedReplay.unknown
    /// Whether the broker takes and delivers a payload of ``BrokerProbe/largePayload`` bytes; `nil` if that was not
    /// tried.
    package var takesLargePayload: Bool?
    /// How long messages take.
    package var latency: BrokerLatency?
    /// How many messages of a burst of ``BrokerProbe/burst`` came to a client that did not read.
    /// A success without a number if the broker does not allow it; a failure if another connection
    /// failed; `nil` if it was not tried.
    package var queueDepth: Result<Int?, MQTTError>?
    /// What was heard of the devices.
    package var devices: [DeviceID: DeviceEvidence] = [:]

    package init(connection: MQTTConnectionInfo, asker: ControllerID) {
        self.connection = connection
        self.asker = asker
    }
}

/// How long a ``HomeProbe`` waits.
package struct HomeProbeTimes: Sendable {
    /// For a message that should come back.
    package var answer = Duration.seconds(3)
    /// How long live messages of devices are watched at least, where there are devices.
    package var watch = Duration.seconds(4)
    /// How long they are watched where a boot id changes.
    package var longWatch = Duration.seconds(12)

    package init() {}
}
