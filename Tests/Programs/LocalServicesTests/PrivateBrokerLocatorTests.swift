import Glibc
import MQTTClient
import TestSupport
import Testing

@testable import LocalServices

/// Where a controller finds the private broker of a fleet that ends and is started again.
@Suite struct PrivateBrokerLocatorTests {
    private let folder: TemporaryFolder
    private let meetingPoint: MeetingPoint

    init() throws {
        folder = try TemporaryFolder()
        meetingPoint = MeetingPoint(root: "\(folder.path)/homeport")
    }

    private func fleet(_ process: Int32, port: Int) -> BrokerAnnouncement {
        BrokerAnnouncement(
            url: "mqtt://127.0.0.1:\(port)", processID: process, home: "home-1",
            credentials: BrokerCredentials(username: "u", password: "of \(process)"))
    }

    private func following(_ fleet: BrokerAnnouncement) throws -> PrivateBrokerLocator {
        try PrivateBrokerLocator(.announced(fleet), at: meetingPoint)
    }

    private func refusal(of locator: PrivateBrokerLocator) -> MQTTError? {
        do {
            _ = try locator.location()
            return nil
        } catch { return error }
    }

    @Test func aFleetThatWasStartedAgainIsFoundAtItsNewPort() async throws {
        let listener = try TestSupport.LoopbackListener()
        defer { listener.close() }
        let locator = try following(fleet(11, port: 4001))
        try await meetingPoint.withAnnouncement(fleet(11, port: 4001)) {
            let location = try locator.location()
            #expect(location.broker.port == 4001)
        }
        try await meetingPoint.withAnnouncement(fleet(12, port: Int(listener.port))) {
            let location = try locator.location()
            #expect(location.broker.port == listener.port)
            #expect(location.credentials?.password == "of 12")
            #expect(locator.latest.port == listener.port)
            try locator.confirm(location)
        }
    }

    /// A stopped fleet counts as alive after its broker was killed.
    @Test func aPortWithoutItsBrokerIsNotConfirmed() async throws {
        let port = try freePort()
        #expect(LoopbackListener.owner(of: port) == .nobody)
        try await meetingPoint.withAnnouncement(fleet(11, port: Int(port))) {
            let locator = try following(fleet(11, port: Int(port)))
            let location = try locator.location()
            let error = #expect(throws: MQTTError.self) { try locator.confirm(location) }
            #expect(error?.message.contains("nobody listens") == true)
            #expect(error?.isRetriable == true)
        }
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root can run a program as another user"),
        arguments: ["127.0.0.1", "0.0.0.0", "::"])
    func aPortThatAnotherUserHasTakenIsNotConfirmed(address: String) async throws {
        let script = """
            from socket import *
            one = socket(AF_INET6 if ":" in "\(address)" else AF_INET)
            one.bind(("\(address)", 0)); one.listen()
            print(one.getsockname()[1], flush=True); one.accept()
            """
        _ = try await ChildProcess.run(
            "/usr/bin/setpriv",
            ["--reuid=65534", "--clear-groups", "/usr/bin/python3", "-c", script], reading: .output
        ) { stranger in
            let line = try #require(try await stranger.line())
            let port = try #require(UInt16(line))
            #expect(LoopbackListener.owner(of: port) == .stranger)
            try await meetingPoint.withAnnouncement(fleet(11, port: Int(port))) {
                let locator = try following(fleet(11, port: Int(port)))
                let location = try locator.location()
                let error = #expect(throws: MQTTError.self) { try locator.confirm(location) }
                #expect(error?.message.contains("another user's program") == true)
            }
            // It ends with that.
            #expect(LoopbackConnection.isPossible(to: port))
        }
    }

    @Test func aFleetThatIsStartedLaterIsFoundWhereNobodyNamedABroker() async throws {
        let usual = try MQTTBrokerAddress(host: "127.0.0.1", port: 1883)
        let locator = try PrivateBrokerLocator(.usual(usual), at: meetingPoint)
        #expect(try locator.location() == MQTTBrokerLocation(usual))
        #expect(locator.isUndecided)
        try await meetingPoint.withAnnouncement(fleet(11, port: 4001)) {
            let location = try locator.location()
            #expect(location.broker.port == 4001)
            #expect(location.credentials?.password == "of 11")
            #expect(locator.followsMeetingPoint)
        }
        #expect(refusal(of: locator)?.message.contains("no homeport-sim") == true)
    }

    /// The home of a broker that restarts must not become that of a fleet which happens to run.
    @Test func theUsualBrokerIsKeptOnceItHasAnswered() async throws {
        let usual = try MQTTBrokerAddress(host: "127.0.0.1", port: 1883)
        let locator = try PrivateBrokerLocator(.usual(usual), at: meetingPoint)
        try locator.confirm(try locator.location())
        #expect(!locator.isUndecided)
        try await meetingPoint.withAnnouncement(fleet(11, port: 4001)) {
            let location = try locator.location()
            #expect(location == MQTTBrokerLocation(usual))
        }
    }

    @Test func nobodyIsConfirmedAfterTheFleetHasEnded() async throws {
        let locator = try following(fleet(11, port: 4001))
        let location = try await meetingPoint.withAnnouncement(fleet(11, port: 4001)) {
            try locator.location()
        }
        let ended = try #require(
            #expect(throws: MQTTError.self) { try locator.confirm(location) })
        #expect(ended.message.contains("has ended"))
        #expect(ended.isRetriable)
        #expect(refusal(of: locator)?.message.contains("no homeport-sim") == true)
    }

    /// The port may have been taken by another fleet, whose password is not the one to be sent.
    @Test func anotherFleetAtTheSamePortIsNotConfirmed() async throws {
        let locator = try following(fleet(11, port: 4001))
        let location = try await meetingPoint.withAnnouncement(fleet(11, port: 4001)) {
            try locator.location()
        }
        try await meetingPoint.withAnnouncement(fleet(12, port: 4001)) {
            let error = #expect(throws: MQTTError.self) { try locator.confirm(location) }
            #expect(error?.message.contains("has ended") == true)
        }
    }

    @Test func ofSeveralTheOneOfBeforeIsTaken() async throws {
        let locator = try following(fleet(11, port: 4001))
        try await meetingPoint.withAnnouncement(fleet(12, port: 4002)) {
            try await meetingPoint.withAnnouncement(fleet(11, port: 4001)) {
                let location = try locator.location()
                #expect(location.broker.port == 4001)
            }
            try await meetingPoint.withAnnouncement(fleet(13, port: 4003)) {
                let error = refusal(of: locator)
                #expect(error?.message.contains("4002 (process 12)") == true)
                #expect(error?.message.contains("4003 (process 13)") == true)
            }
        }
    }

    @Test func aNamedBrokerGetsThePasswordOnlyWhileItsFleetLives() async throws {
        let address = try MQTTBrokerAddress(url: "mqtt://localhost:4001")
        let locator = try PrivateBrokerLocator(.named(address), at: meetingPoint)
        let unannounced = try locator.location()
        #expect(unannounced == MQTTBrokerLocation(address))
        try await meetingPoint.withAnnouncement(fleet(11, port: 4001)) {
            let location = try locator.location()
            #expect(location.credentials?.password == "of 11")
        }
        #expect(refusal(of: locator)?.message.contains("has ended") == true)
    }

    @Test func credentialsOfTheUserTakeThePlaceOfTheAnnouncedOnes() async throws {
        let own = try MQTTCredentials(username: "me", password: "mine")
        let locator = try PrivateBrokerLocator(
            .announced(fleet(11, port: 4001)), credentials: own, at: meetingPoint)
        try await meetingPoint.withAnnouncement(fleet(11, port: 4001)) {
            let location = try locator.location()
            #expect(location.credentials == own)
        }
    }
}
