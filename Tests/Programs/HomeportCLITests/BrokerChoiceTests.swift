import Homeport
import LocalServices
import Testing

@testable import HomeportCLI

@Suite struct BrokerChoiceTests {
    private let one = BrokerAnnouncement(
        url: "mqtt://127.0.0.1:4001", processID: 11, home: "home-1",
        credentials: BrokerCredentials(username: "u", password: "one"))
    private let other = BrokerAnnouncement(
        url: "mqtt://127.0.0.1:4002", processID: 12, home: "villa",
        credentials: BrokerCredentials(username: "u", password: "other"))

    @Test func theOptionWins() throws {
        let choice = try BrokerChoice(
            option: "mqtt://a:1", environment: "mqtt://b:2", meetingPoint: { .one(one) })
        #expect(choice.address.description == "mqtt://a:1")
        #expect(choice.source == .option)
    }

    @Test func theEnvironmentComesBeforeThePrivateBroker() throws {
        let choice = try BrokerChoice(
            option: nil, environment: "mqtt://b:2", meetingPoint: { .one(one) })
        #expect(choice.address.description == "mqtt://b:2")
        #expect(choice.source == .environment)
    }

    @Test func theOnePrivateBrokerIsFound() throws {
        let choice = try BrokerChoice(option: nil, environment: nil, meetingPoint: { .one(other) })
        #expect(choice.address.description == "mqtt://127.0.0.1:4002")
        #expect(choice.source == .privateBroker(home: "villa"))
    }

    @Test func aPrivateBrokerBringsItsCredentialsWhoeverNamesIt() throws {
        let announced = { (url: String) in [one, other].first { $0.url == url } }
        let found = try BrokerChoice(
            option: nil, environment: nil, meetingPoint: { .one(other) }, announced: announced)
        #expect(found.fleet == other)
        let named = try BrokerChoice(
            option: one.url, environment: other.url, meetingPoint: { .none }, announced: announced)
        #expect(named.fleet == one)
        let remembered = try BrokerChoice(
            option: nil, environment: other.url, meetingPoint: { .none }, announced: announced)
        #expect(remembered.fleet == other)
        let elsewhere = try BrokerChoice(
            option: "mqtt://127.0.0.1:4003", environment: nil, meetingPoint: { .one(one) },
            announced: announced)
        #expect(elsewhere.fleet == nil)
    }

    @Test func aClusterHasSeveralAddresses() throws {
        let choice = try BrokerChoice(
            option: "mqtt://a:1,mqtt://b:2", environment: nil, meetingPoint: { .one(one) })
        #expect(choice.addresses.clusterText == "mqtt://a:1,mqtt://b:2" && choice.fleet == nil)
        let error = #expect(throws: CommandLineError.self) {
            try BrokerChoice(option: "mqtt://a,", environment: nil, meetingPoint: { .none })
        }
        #expect(error?.status == .usage && error?.message.hasPrefix("--broker: ") == true)
    }

    @Test func withoutAnyTheUsualPlaceIsAsked() throws {
        let choice = try BrokerChoice(option: nil, environment: nil, meetingPoint: { .none })
        #expect(choice.address.description == BrokerChoice.fallbackURL)
        #expect(choice.source == .fallback)
    }

    @Test func ofSeveralPrivateBrokersTheUserHasToChoose() {
        let failure = #expect(throws: CommandLineError.self) {
            try BrokerChoice(
                option: nil, environment: nil, meetingPoint: { .several([one, other]) })
        }
        #expect(failure?.status == .usage)
        for word in ["mqtt://127.0.0.1:4001", "mqtt://127.0.0.1:4002", "--broker"] {
            #expect(failure?.message.contains(word) == true)
        }
    }

    @Test(arguments: [
        "localhost", "http://a", "mqtt://", "mqtt://a:0", "mqtt://a:x", "mqtt://u:p@a",
        "mqtts://a:0", "mqtts://u:p@a", "mqtt://a/b",
    ])
    func aURLThatIsNoBrokersIsAUsageError(url: String) {
        let failure = #expect(throws: CommandLineError.self) {
            try BrokerChoice(option: url, environment: nil, meetingPoint: { .none })
        }
        #expect(failure?.status == .usage)
        #expect(failure?.message.hasPrefix("--broker: ") == true)
        #expect(failure?.message.contains("u:p") == false)
    }
}
