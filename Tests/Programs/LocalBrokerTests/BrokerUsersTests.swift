import DeviceDomain
import DeviceTopics
import LocalServices
import MQTTClient
import TestSupport
import Testing

@testable import LocalBroker

/// What the users of a private broker may do there.
@Suite(.timeLimit(.minutes(1)))
struct BrokerUsersTests {
    private let topics = "homeport/v1/home-1"

    /// Starts a broker with the users of two robots.
    private func withUsers(
        _ body: (RunningBroker, _ users: [BrokerCredentials]) async throws -> Void
    ) async throws {
        let users = ["home-1/robot-1", "home-1/robot-2"].map { BrokerCredentials.random(for: $0) }
        var configuration = PrivateBrokerConfiguration()
        configuration.users = users
        configuration.accessControl =
            BrokerAccess.devices(of: [try HomeID("home-1")]).joined(separator: "\n") + "\n"
        try await PrivateBroker.withBroker(configuration) { try await body($0, users) }
    }

    private func connect(
        _ broker: RunningBroker, as user: BrokerCredentials?,
        _ body: (MQTTPeer) async throws -> Void
    ) async throws {
        let credentials = try user.map {
            try MQTTCredentials(username: $0.username, password: $0.password)
        }
        let id = user?.username.replacing("/", with: "-") ?? "stranger"
        try await MQTTPeer.with(broker.url, id: id, credentials: credentials, body)
    }

    @Test func aDeviceUsesItsOwnTopicsOnly() async throws {
        try await withUsers { broker, users in
            try await connect(broker, as: users[0]) { robot in
                for part in ["state", "presence", "telemetry", "ack/ctl", "event/stuck"] {
                    #expect(try await !robot.publish("\(topics)/robot-1/\(part)", "1").isError)
                    #expect(
                        try await robot.publish("\(topics)/robot-2/\(part)", "1") == .notAuthorized)
                }
                #expect(
                    try await robot.publish("\(topics)/robot-1/command", "1") == .notAuthorized)
                try await robot.subscribe("#")
                try await connect(broker, as: broker.credentials) { owner in
                    try await owner.publish("\(topics)/robot-2/command", "not yours")
                    try await owner.publish("\(topics)/robot-1/command", "yours")
                }
                for await message in robot.messages {
                    #expect(message.topic.rawValue.hasPrefix("\(topics)/robot-1/"))
                    if message.topic.rawValue.hasSuffix("command") { break }
                }
            }
        }
    }

    @Test func aStrangerIsRefusedAlsoWithTheNameOfADevice() async throws {
        try await withUsers { broker, users in
            let strangers = [
                nil, BrokerCredentials(username: users[0].username, password: "guessed"),
                BrokerCredentials(username: users[0].username, password: users[1].password),
            ]
            for stranger in strangers {
                await #expect(throws: MQTTError.self) {
                    try await connect(broker, as: stranger) { _ in }
                }
            }
        }
    }
}
