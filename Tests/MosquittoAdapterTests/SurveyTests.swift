import Connectivity
import DeviceDomain
import MQTTClient
import TestSupport
import Testing

@testable import MosquittoAdapter

@Suite(.timeLimit(.minutes(1))) struct SurveyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func whatIsRetainedIsGatheredUntilTheFenceReturns() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { peer in
                for id in ["a", "b", "c"] { try await peer.announce(id, revision: 7) }
            }
            try await withChannel(broker.url) { channel in
                let survey = try await channel.survey(home, .everyDevice)
                #expect(survey.isComplete)
                #expect(survey.devices.keys.sorted() == [device("a"), device("b"), device("c")])
                #expect(survey.device(device("b"))?.report.revision == 7)
                #expect(survey.device(device("b"))?.report.connection == .online(boot: boot))
            }
        }
    }

    @Test func aSurveyOfOneDeviceLeavesTheOthersAlone() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { peer in
                for id in ["a", "b"] { try await peer.announce(id) }
            }
            try await withChannel(broker.url) { channel in
                let survey = try await channel.survey(home, .device(device("a")))
                #expect(survey.isComplete)
                #expect(Array(survey.devices.keys) == [device("a")])
                let missing = try await channel.survey(home, .device(device("z")))
                #expect(missing.isComplete)
                #expect(missing.devices.isEmpty)
            }
        }
    }

    @Test func twoThousandDevicesComeFromABrokerWithItsDefaults() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { peer in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 1...2_000 {
                        if number > 50 { try await group.next() }
                        group.addTask { try await peer.announce("d-\(number)") }
                    }
                    try await group.waitForAll()
                }
            }
            try await withChannel(broker.url) { channel in
                let survey = try await channel.survey(home, .everyDevice)
                #expect(survey.isComplete)
                #expect(survey.devices.count == 2_000)
                #expect(survey.devices.values.allSatisfy { $0.state != nil && $0.presence != nil })
            }
        }
    }

    @Test func aSilentHomeIsAskedToAnnounceItself() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "device") { peer in
                try await peer.subscribe("homeport/v1/home-1/hello")
                async let answer: Void = {
                    for await message in peer.messages {
                        #expect(
                            String(decoding: message.payload, as: UTF8.self).contains(
                                #""spreadMs":50"#))
                        try await peer.announce("shy", retain: false)
                        return
                    }
                }()
                try await withChannel(
                    broker.url,
                    { ($0.helloSpread, $0.helloMargin) = (.milliseconds(50), .seconds(1)) }
                ) { channel in
                    let survey = try await channel.survey(home, .everyDevice)
                    #expect(survey.isComplete)
                    #expect(Array(survey.devices.keys) == [device("shy")])
                }
                try await answer
            }
        }
    }

    @Test func withoutAFenceTheListMayBeIncomplete() async throws {
        let access = try folder.file(
            "access",
            "topic read homeport/v1/#\ntopic deny homeport/v1/home-1/fence\ntopic write homeport/v1/home-1/+/+\n"
        )
        try await withBroker("acl_file \(access)") { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { try await $0.announce("a") }
            try await withChannel(broker.url, { $0.fenceDeadline = .milliseconds(300) }) {
                channel in
                let survey = try await channel.survey(home, .everyDevice)
                #expect(!survey.isComplete)
                #expect(Array(survey.devices.keys) == [device("a")])
            }
        }
    }

    @Test func withoutAConnectionNothingIsTried() async throws {
        try await withChannel("mqtt://127.0.0.1:1", opening: false) { channel in
            let error = await #expect(throws: CommunicationError.self) {
                try await channel.survey(home, .everyDevice)
            }
            #expect(error?.code == .notConnected)
        }
    }
}
