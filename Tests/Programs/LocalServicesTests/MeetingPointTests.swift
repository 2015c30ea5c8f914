import Glibc
import TestSupport
import Testing

@testable import LocalServices

@Suite(.timeLimit(.minutes(1)))
struct MeetingPointTests {
    private let folder: TemporaryFolder
    private let meetingPoint: MeetingPoint
    private let mine = BrokerAnnouncement(
        url: "mqtt://127.0.0.1:4711", processID: getpid(), home: "home-1",
        credentials: BrokerCredentials(username: "u", password: "p"))

    init() throws {
        folder = try TemporaryFolder()
        meetingPoint = MeetingPoint(root: "\(folder.path)/homeport")
    }

    /// A folder `homeport/brokers` with a file that nobody holds.
    private func leaveBehind(_ name: String, _ content: String) throws {
        if !folder.has("homeport") {
            _ = try folder.folder("homeport")
            _ = try folder.folder("homeport/brokers")
        }
        try folder.file("homeport/brokers/\(name)", content)
    }

    /// What a controller would find now.
    private func found() throws -> MeetingPoint.Finding {
        try meetingPoint.live()
    }

    private func refusal() throws -> LocalServicesError {
        try #require(#expect(throws: LocalServicesError.self) { try meetingPoint.live() })
    }

    @Test func nothingIsFoundWhereNobodyEverWas() throws {
        #expect(try found() == .none)
        #expect(!folder.has("homeport"))
    }

    @Test func announcementIsFoundWhileItIsHeld() async throws {
        try await meetingPoint.withAnnouncement(mine) {
            let now = try found()
            #expect(now == .one(mine))
            #expect(folder.has("homeport/brokers/\(getpid()).json"))
        }
        #expect(try found() == .none)
        #expect(!folder.has("homeport/brokers/\(getpid()).json"))
    }

    @Test func mosquittosClientsFindTheirOptionsWhileItIsHeld() async throws {
        let folder = "homeport/brokers/\(getpid()).clients"
        try await meetingPoint.withAnnouncement(mine) {
            #expect(meetingPoint.clientFolder(of: mine).hasSuffix("/\(folder)"))
            var status = stat()
            #expect(stat(meetingPoint.clientFolder(of: mine) + "/mosquitto_sub", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }
        #expect(!self.folder.has(folder))
    }

    @Test func severalAreNamedInOrder() async throws {
        let other = BrokerAnnouncement(
            url: "mqtt://127.0.0.1:4712", processID: getpid() + 1, home: "lake-house",
            credentials: BrokerCredentials(username: "u", password: "q"))
        try await meetingPoint.withAnnouncement(other) {
            try await meetingPoint.withAnnouncement(mine) {
                let now = try found()
                #expect(now == .several([mine, other]))
            }
        }
    }

    @Test func brokerIsFoundByItsURL() async throws {
        try await meetingPoint.withAnnouncement(mine) {
            #expect(meetingPoint.broker(at: "mqtt://127.0.0.1:4711") == mine)
            #expect(meetingPoint.broker(at: "mqtt://localhost:4711") == mine)
            #expect(meetingPoint.broker(at: "mqtt://127.0.0.1:471") == nil)
            var status = stat()
            #expect(stat(meetingPoint.path(of: mine), &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }
        #expect(meetingPoint.broker(at: "mqtt://127.0.0.1:4711") == nil)
    }

    @Test(arguments: [false, true])
    func whatTheDeadLeftIsNotListedAndIsRemoved(byOwner: Bool) async throws {
        try leaveBehind(
            "12.json",
            #"{"url":"mqtt://127.0.0.1:1","pid":12,"home":"home-1","username":"u","password":"p"}"#)
        try leaveBehind("13.new", "half of i")
        _ = try folder.folder("homeport/brokers/12.clients")
        try folder.file("homeport/brokers/12.clients/mosquitto_sub", "-P p")
        if !byOwner {
            #expect(try found() == .none)
            #expect(!folder.has("homeport/brokers/12.json"))
            #expect(!folder.has("homeport/brokers/12.clients"))
        }
        try await meetingPoint.withAnnouncement(mine) {
            #expect(!folder.has("homeport/brokers/12.json"))
            #expect(!folder.has("homeport/brokers/13.new"))
            let now = try found()
            #expect(now == .one(mine))
        }
    }

    @Test func folderOpenToOthersIsRefused() throws {
        _ = try folder.folder("homeport", mode: 0o755)
        _ = try folder.folder("homeport/brokers")
        let error = try refusal()
        #expect(error.code == .unsafeMeetingPoint)
        #expect(error.message.contains("chmod 700"))
    }

    @Test func innerFolderOpenToOthersIsRefusedForWritingToo() async throws {
        _ = try folder.folder("homeport")
        _ = try folder.folder("homeport/brokers", mode: 0o770)
        let error = await #expect(throws: LocalServicesError.self) {
            try await meetingPoint.withAnnouncement(mine) {}
        }
        #expect(error?.code == .unsafeMeetingPoint)
    }

    @Test func symbolicLinkIsRefused() throws {
        _ = try folder.folder("elsewhere")
        _ = try folder.folder("elsewhere/brokers")
        symlink("\(folder.path)/elsewhere", meetingPoint.root)
        let error = try refusal()
        #expect(error.code == .unsafeMeetingPoint)
        #expect(error.message.contains("symbolic link"))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func folderOfAnotherUserIsRefused() throws {
        let root = try folder.folder("homeport")
        _ = try folder.folder("homeport/brokers")
        try #require(chown(root, 65_534, 65_534) == 0)
        let error = try refusal()
        #expect(error.code == .unsafeMeetingPoint)
        #expect(error.message.contains("65534"))
    }
}
