import Glibc
import TestSupport
import Testing

@testable import LocalServices

/// In which folder the programs of a user meet.
@Suite struct MeetingPointPlaceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func place(_ variables: [String: String]) -> MeetingPoint {
        MeetingPoint { name in variables[name].map { "\(folder.path)/\($0)" } }
    }

    @Test func theRuntimeFolderIsUsedWhereItIsThere() throws {
        _ = try folder.folder("run")
        let place = place(["XDG_RUNTIME_DIR": "run", "TMPDIR": "tmp"])
        #expect(place.root == "\(folder.path)/run/homeport")
        #expect(place.warning == nil)
    }

    /// As without the variable, and the user is told.
    @Test func aRuntimeFolderThatIsMissingIsReplacedWithAWarning() {
        let place = place(["XDG_RUNTIME_DIR": "missing", "TMPDIR": "tmp"])
        #expect(place.root == "\(folder.path)/tmp/homeport-\(geteuid())")
        #expect(place.warning?.contains("\(folder.path)/missing") == true)
        #expect(place.warning?.contains(place.root) == true)
    }

    /// A link stands for what another user has made: it is no folder of this one.
    @Test func aNameThatAnotherUserHasTakenIsLeftAlone() async throws {
        let name = "homeport-\(geteuid())"
        _ = try folder.folder("tmp")
        #expect(symlink("/", "\(folder.path)/tmp/\(name)") == 0)
        let place = place(["TMPDIR": "tmp", "HOME": "home"])
        #expect(place.root == "\(folder.path)/home/.local/state/homeport/run")
        #expect(place.warning?.contains("tmp/\(name)") == true)
        // The folders above are made where they are missing.
        let fleet = BrokerAnnouncement(
            url: "mqtt://127.0.0.1:4001", processID: 11, home: "home-1",
            credentials: BrokerCredentials(username: "u", password: "p"))
        try await place.withAnnouncement(fleet) {
            let found = try place.live()
            #expect(found == .one(fleet))
        }
    }

    @Test func nothingIsSaidOfTheUsualFolder() {
        let place = place(["TMPDIR": "tmp", "HOME": "home"])
        #expect(place.root == "\(folder.path)/tmp/homeport-\(geteuid())")
        #expect(place.warning == nil)
    }
}
