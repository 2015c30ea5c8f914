import Testing

@testable import Homeport

@Suite struct LedgerLocationTests {
    private static let cases: [(LedgerLocation, [String: String], String?)] = [
        (.file("/a/l.sqlite"), ["HOMEPORT_DATABASE": "/b"], "/a/l.sqlite"),
        (.standard, ["HOMEPORT_DATABASE": "b.sqlite", "HOME": "/h"], "b.sqlite"),
        (.standard, ["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/homeport/ledger.sqlite"),
        (
            .standard, ["XDG_STATE_HOME": "s", "HOME": "/h"],
            "/h/.local/state/homeport/ledger.sqlite"
        ),
        (.memory, ["HOMEPORT_DATABASE": "b.sqlite"], nil),
        (.standard, ["HOMEPORT_DATABASE": "postgresql://db/home"], nil),
        (.server("postgresql://db/home"), ["HOME": "/h"], nil),
    ]

    @Test(arguments: cases)
    func theFirstThatIsNamedHolds(
        location: LedgerLocation, environment: [String: String], path: String?
    ) throws {
        #expect(try location.path { environment[$0] } == path)
    }

    @Test func withoutAHomeFolderTheUserHasToName() {
        let error = #expect(throws: HomeError.self) {
            try LedgerLocation.standard.path { _ in nil }
        }
        #expect(error?.code == .configuration)
        #expect(error?.message.contains("--database") == true)
    }
}
