import Homeport
import Testing

@testable import HomeAssistant

@Suite struct TopicTests {
    private let topics = Devices.topics

    @Test(arguments: EntityComponent.allCases)
    func topicsAreReadAsTheyAreBuilt(component: EntityComponent) {
        #expect(
            topics.incoming(topics.command(.named("a-1"), component, "k__1"))
                == .command(.named("a-1"), component, key: "k__1"))
        #expect(
            topics.incoming(topics.discovery(.named("a-1"), component, "k_20"))
                == .discovery(.named("a-1")))
        #expect(topics.incoming(topics.send(to: .named("a-1"))) == .named(.named("a-1")))
        #expect(
            topics.incoming(topics.availability(of: .named("a-1")))
                == .availability(.named("a-1")))
        #expect(topics.incoming("homeassistant/status") == .birth)
    }

    @Test(arguments: [
        "", "homeassistant", "homeassistant/sensor/other/a_b/config",
        "homeassistant/sensor/homeport-villa/A_b/config", "homeassistant/status/x",
        "homeassistant/sensor/homeport-villa/_/config",
        "homeport/home-assistant/villa/a/lamp/k/set", "homeport/home-assistant/villa/A/send",
        "homeport/home-assistant/villa/a/state", "homeport/home-assistant/other/a/send",
        "homeport/home-assistant/villa//send", "homeport/home-assistant/villa/a/number/k/set/x",
    ])
    func otherTopicsAreNotRead(topic: String) { #expect(topics.incoming(topic) == nil) }

    @Test func noTwoNamesBecomeTheSame() {
        let names = ["a b", "a_b", "a_20b", "a/b", "ab", "a__b", "ä", "A B", "", "a-b"]
        #expect(Set(names.map(TopicWord.escaping)).count == names.count)
        #expect(TopicWord.escaping("set-mode") == "set-mode")
    }

    @Test(arguments: ["", "/", "a//b", "a/", "a/+/b", "#", "$SYS", "a\u{0}"])
    func prefixThatIsNoTopicIsRefused(text: String) {
        #expect { try DiscoveryPrefix(text) } throws: {
            ($0 as? HomeAssistantError)?.code == .badPrefix
        }
    }

    @Test func prefixMayHaveLevels() throws {
        let other = BridgeTopics(prefix: try DiscoveryPrefix("ha/main"), home: .named("villa"))
        #expect(other.birth == "ha/main/status")
        #expect(
            other.incoming(other.discovery(.named("a"), .sensor, "b")) == .discovery(.named("a")))
    }
}
