import Testing

@testable import Homeport

/// When devices are asked again about commands whose outcome is unknown.
@Suite struct UnknownQuestionsTests {
    private let id: CommandID
    private let since = Timestamp(milliseconds: 1_764_000_000_000)
    private var questions = UnknownQuestions()

    init() {
        id = CommandID(at: since)
    }

    @Test mutating func whileTheDeviceIsOnlineItIsAskedAgainAfterLongerAndLongerWaits() {
        var times: [Int] = []
        for second in 0...20_000 where ask(at: second, since) { times.append(second) }
        #expect(times.prefix(5) == [0, 15, 45, 105, 225])
        let waits = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(waits.allSatisfy { $0 <= 3_600 })
        #expect(waits.suffix(2) == [3_600, 3_600])
    }

    @Test mutating func aDeviceThatComesOnlineAgainIsAskedAtOnce() {
        #expect(ask(at: 0, since))
        #expect(!ask(at: 5, since))
        #expect(ask(at: 6, since.advanced(by: .seconds(6))))
        #expect(!ask(at: 7, since.advanced(by: .seconds(6))))
        #expect(ask(at: 21, since.advanced(by: .seconds(6))), "the waits begin anew")
    }

    @Test mutating func aDeviceThatIsAwayIsNotAsked() {
        #expect(questions.due(of: [:], at: .zero).isEmpty)
        #expect(ask(at: 1, since))
        #expect(questions.due(of: [:], at: .seconds(100)).isEmpty)
        #expect(ask(at: 101, since))
    }

    private mutating func ask(at second: Int, _ since: Timestamp) -> Bool {
        questions.due(of: [id: since], at: .seconds(second)).contains(id)
    }
}
