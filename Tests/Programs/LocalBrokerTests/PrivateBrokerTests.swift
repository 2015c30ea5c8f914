import Glibc
import LocalServices
import TestSupport
import Testing

@testable import LocalBroker

@Suite(.timeLimit(.minutes(1)))
struct PrivateBrokerTests {
    @Test func listensWhileTheBodyRunsAndNoLonger() async throws {
        let port = try await PrivateBroker.withBroker { broker in
            #expect(broker.url == "mqtt://127.0.0.1:\(broker.port)")
            #expect(broker.version.hasPrefix("2."))
            #expect(LoopbackConnection.isPossible(to: broker.port))
            return broker.port
        }
        #expect(!LoopbackConnection.isPossible(to: port))
    }

    @Test func twoRunSideBySide() async throws {
        try await PrivateBroker.withBroker { first in
            try await PrivateBroker.withBroker { second in
                #expect(first.port != second.port)
                #expect(LoopbackConnection.isPossible(to: first.port))
                #expect(LoopbackConnection.isPossible(to: second.port))
            }
            #expect(LoopbackConnection.isPossible(to: first.port))
        }
    }

    @Test func errorOfTheBodyComesThroughAndEndsTheBroker() async throws {
        struct Mishap: Error, Equatable { let port: UInt16 }
        let thrown = await #expect(throws: Mishap.self) {
            try await PrivateBroker.withBroker { broker in throw Mishap(port: broker.port) }
        }
        #expect(!LoopbackConnection.isPossible(to: try #require(thrown).port))
    }

    @Test func cancelledBodyCanStillReachTheBroker() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let run = Task {
            try await PrivateBroker.withBroker { broker in
                start.finish()
                for await _ in AsyncStream<Never>.makeStream().stream {}
                #expect(Task.isCancelled)
                return (broker.port, LoopbackConnection.isPossible(to: broker.port))
            }
        }
        for await _ in started {}
        run.cancel()
        let (port, reachable) = try await run.value
        #expect(reachable)
        #expect(!LoopbackConnection.isPossible(to: port))
    }

    @Test func unexpectedEndIsReported() async throws {
        try await PrivateBroker.withBroker { broker in
            kill(broker.processID, SIGKILL)
            var ends = 0
            for await lines in broker.unexpectedEnd {
                ends += 1
                #expect(lines.contains { $0.hasSuffix("running") })
            }
            #expect(ends == 1)
        }
    }

    @Test func brokerDiesWithinASecondOfItsKilledOwner() async throws {
        let folder = try TemporaryFolder()
        try await ProbeProcess.withOwner(root: "\(folder.path)/homeport") { owner in
            let connection = try #require(LoopbackConnection(to: owner.port))
            kill(owner.processID, SIGKILL)
            #expect(connection.closesWithinOneSecond())
        }
    }

    /// Whoever looks for a broker is not sent to one whose owner was killed.
    @Test func killedOwnerIsNoLongerListed() async throws {
        let folder = try TemporaryFolder()
        let meetingPoint = MeetingPoint(root: "\(folder.path)/homeport")
        try await ProbeProcess.withOwner(root: meetingPoint.root) { owner in
            let expected = BrokerAnnouncement(
                url: "mqtt://127.0.0.1:\(owner.port)", processID: owner.processID, home: "home-1",
                credentials: try #require(meetingPoint.broker(at: owner.url)).credentials)
            let now = try meetingPoint.live()
            #expect(now == .one(expected))
            kill(owner.processID, SIGKILL)
        }
        #expect(try meetingPoint.live() == .none)
    }
}
