import TestSupport
import Testing

/// The built program where a list that it is asked for is empty.
@Suite(.timeLimit(.minutes(1))) struct EmptyListsTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test(arguments: [
        (["history"], "no commands of home-1 are in the ledger yet; 'homeport send"),
        (["history", "--device", "lamp-1"], "the ledger has no commands to lamp-1 in home-1"),
        (["queue"], "no commands wait for devices of home-1"),
        (["rule", "list"], "home-1 has no rules; 'homeport rule add"),
        (["schedule", "list"], "home-1 has no schedules; 'homeport schedule add"),
        (["keychain", "list"], "the keychain has no secrets; 'homeport keychain set"),
        (["identity", "list"], "have been issued in home-1; 'homeport identity issue"),
    ])
    func anEmptyListIsSaidToPeopleAlone(words: [String], remark: String) async throws {
        let human = try await workplace.homeport(words)
        #expect(human.status == 0)
        #expect(human.output.isEmpty)
        #expect(human.remarks.count == 1 && human.errors.contains(remark), "\(human.errors)")
        let json = try await workplace.homeport(words + ["--json"])
        #expect(json.status == 0 && json.output.isEmpty && json.errors.isEmpty, "\(json)")
    }

    @Test func devicesThatNoFilterPassesAreSaidOnce() async throws {
        let run = try await workplace.homeport("history", "--kind", "lamp")
        #expect(run.status == 0)
        #expect(run.remarks.count == 1, "\(run.errors)")
        #expect(run.errors.contains("there are no devices of kind lamp in home-1"))
    }
}
