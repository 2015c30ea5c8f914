import Testing

@testable import homeport

@Suite struct LedgerLocationTests {
    @Test(arguments: [
        ("/a/l.sqlite", ["HOMEPORT_DATABASE": "/b", "HOME": "/h"], "/a/l.sqlite"),
        (nil, ["HOMEPORT_DATABASE": "b.sqlite", "HOME": "/h"], "b.sqlite"),
        (nil, ["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/homeport/ledger.sqlite"),
        (
            nil, ["XDG_STATE_HOME": "s", "HOME": "/h"],
            "/h/.local/state/homeport/ledger.sqlite"
        ),
    ])
    func theFirstThatIsNamedHolds(
        option: String?, environment: [String: String], path: String
    ) throws {
        let location = try LedgerLocation(option: option) { environment[$0] }
        #expect(location.path == path)
    }

    @Test func withoutAHomeFolderTheUserHasToName() {
        let failure = #expect(throws: Failure.self) {
            try LedgerLocation(option: nil) { _ in nil }
        }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains("--database") == true)
    }
}
