internal import Connectivity
internal import MQTTClient
internal import YAMLText
internal import ZigbeeAdapter

extension ChannelDialect {
    static let zigbee2MQTT = broker(.zigbee2MQTT, members: ["base-topic"]) {
        line throws(YAMLProblem) in
        let baseTopic = try line.members["base-topic"]?.value { text throws(MQTTError) in
            try ZigbeeChannelConfiguration.validate(baseTopic: text)
            return text
        }
        return { [id = line.id] in .zigbee2MQTT(id: id, $0, baseTopic: baseTopic ?? "zigbee2mqtt") }
    }
}
