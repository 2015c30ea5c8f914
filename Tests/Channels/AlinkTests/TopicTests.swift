import Testing

@testable import Alink

@Suite struct TopicTests {
    private static let contents: [(String, AlinkTopic.Content)] = [
        ("event/property/post", .properties), ("event/alarm/post", .event("alarm")),
        ("event/property/post_reply", .answer(.properties)),
        ("event/alarm/post_reply", .answer(.event("alarm"))), ("service/property/set", .setting),
        ("service/property/set_reply", .reply(.setting)), ("service/clean", .service("clean")),
        ("service/clean_reply", .reply(.service("clean"))),
        ("service/block:clean", .service("block:clean")),
        ("property/desired/get", .inquiry("property/desired/get")),
        ("property/desired/get_reply", .answer(.inquiry("property/desired/get"))),
    ]

    @Test(arguments: contents)
    func everyTopicIsReadAsItIsWritten(suffix: String, content: AlinkTopic.Content) throws {
        let text = "/sys/pk/dn_1/thing/\(suffix)"
        let topic = try #require(AlinkTopic(text))
        #expect(topic.content == content)
        #expect(topic.name.description == "pk/dn_1")
        #expect(topic.text == text)
    }

    @Test func theStatusHasATopicOfItsOwn() throws {
        let topic = try #require(AlinkTopic("/as/mqtt/status/pk/dn"))
        #expect(topic.content == .status)
        #expect(topic.text == "/as/mqtt/status/pk/dn")
    }

    @Test(
        arguments: [
            "", "/", "sys/pk/dn/thing/service/x", "/sys/pk/dn/thing", "/sys/pk/dn/thing/",
            "/sys/pk/dn/other/service/x", "/sys//dn/thing/service/x", "/sys/pk/d n/thing/service/x",
            "/sys/pk/dn/thing/service/", "/sys/pk/dn/thing/event/x", "/sys/pk/dn/thing/fence",
            "/sys/pk/dn/thing/event//post", "/as/mqtt/status/pk", "/as/mqtt/status/pk/dn/x",
            "/sys/pk/dn/thing/service/a/b/c",
        ])
    func otherTopicsAreOfNoDevice(text: String) {
        #expect(AlinkTopic(text) == nil)
    }

    @Test func aMethodSaysWhatItsTopicSays() {
        #expect(AlinkTopic.Content.setting.method == "thing.service.property.set")
        #expect(AlinkTopic.Content.service("clean").method == "thing.service.clean")
        #expect(AlinkTopic.Content.properties.method == "thing.event.property.post")
        #expect(AlinkTopic.Content(commandMethod: "thing.service.property.set") == .setting)
        #expect(AlinkTopic.Content(commandMethod: "thing.service.clean") == .service("clean"))
        for method in ["", "thing.service.", "thing.event.x.post", "thing.service.a/b"] {
            #expect(AlinkTopic.Content(commandMethod: method) == nil)
        }
    }
}
