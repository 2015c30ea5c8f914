import Testing

@testable import HomeportCLI

@Suite struct VerbStatusTests {
    @Test(arguments: [
        ([] as [VerbStatus], VerbStatus.done),
        ([.done, .done], .done),
        ([.done, .expired], .expired),
        ([.expired, .notDone], .notDone),
        ([.notDone, .undecided, .expired], .undecided),
        ([.undecided, .noConnection], .noConnection),
    ])
    func theGravestOfSeveralStatusesHolds(statuses: [VerbStatus], summary: VerbStatus) {
        #expect(VerbStatus.summary(of: statuses) == summary)
    }

    @Test func theNumbersAreThoseOfTheContract() {
        #expect(
            VerbStatus.allCases.map(\.rawValue)
                == [0, 1, 3, 4, 5, 64, 65, 70, 74, 77, 78, 130])
    }

    @Test func aVerbMayGiveAStatusAMeaningOfItsOwn() {
        let text = VerbStatus.help([.done, .notDone], but: [.notDone: "nothing was found"])
        #expect(text == "Exit status:\n   0  done\n   1  nothing was found")
    }

    @Test func helpNamesEveryStatusOnItsLine() {
        let lines = VerbStatus.help([.done, .internalError]).split(separator: "\n")
        #expect(lines.map(String.init) == ["Exit status:", "   0  done", "  70  internal error"])
    }
}
