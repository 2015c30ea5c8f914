import Homeport

/// The code of the page Channels.
enum ChannelsSamples {
    static func configuration(broker: String) throws -> HomeConfiguration {
        // sample: two channels
        let attic = BrokerConnection(try MQTTBrokerAddress(url: "mqtt://127.0.0.1:1884"))
        let configuration = HomeConfiguration(
            home: try HomeID("villa"),
            channels: [
                .homeportMQTT(BrokerConnection(try MQTTBrokerAddress(url: broker))),
                .zigbee2MQTT(id: try ChannelID("attic"), attic),
            ],
            rules: [ChannelRule(.kind(DeviceKind(rawValue: "light")), use: try ChannelID("attic"))])
        // end sample
        return configuration
    }

    static func file() throws -> ConfigurationFile {
        // sample: file
        let file = try ConfigurationFile(
            """
            home: villa
            channels:
              - {id: mqtt, kind: homeport-mqtt, broker: "mqtt://127.0.0.1:1883"}
              - {id: attic, kind: zigbee2mqtt, broker: "mqtt://127.0.0.1:1884", base-topic: zigbee2mqtt}
            rules:
              - {kind: light, channel: attic}
            """, path: "homeport.yaml")
        // end sample
        return file
    }
}
