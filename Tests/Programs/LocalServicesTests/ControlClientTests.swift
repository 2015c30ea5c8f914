import LocalServices
import TestSupport
import Testing

/// Asking a fleet.
@Suite(.timeLimit(.minutes(1))) struct ControlClientTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/control.sock" }

    init() throws { folder = try TemporaryFolder() }

    @Test func nobodyIsNoFleet() throws {
        #expect(try ControlClient.ask(.faults, at: path, within: .seconds(10)) == nil)
    }

    @Test func aFleetThatDoesNotAnswerIsAnError() throws {
        let fleet = try LocalServer(at: path, requestsOf: 1_024)
        _ = fleet
        let error = #expect(throws: LocalServicesError.self) {
            try ControlClient.ask(.faults, at: path, within: .zero)
        }
        #expect(error?.code == .unanswered)
        #expect(error?.description.contains("\(path) does not answer") == true)
    }

    @Test(
        arguments: [
            (#"{"reply":"done"}"#, nil),
            (#"{"reply":"refused","reason":"no such device"}"#, .refused),
            (#"{"reply":"dance"}"#, .malformed), ("", .malformed), (nil, .unanswered),
        ] as [(String?, LocalServicesError.Code?)])
    func theAnswerIsReadOrNamesWhatIsWrong(
        answer: String?, code: LocalServicesError.Code?
    ) async throws {
        let fleet = try LocalServer(at: path, requestsOf: 1_024)
        let running = Task {
            try await fleet.run { line, connection in
                #expect((try? line.get()) == ControlRequest.status(target: "a").line)
                guard let answer else { return }
                for byte in answer.utf8 + [UInt8(ascii: "\n")] {
                    try? await connection.write([byte])
                }
            }
        }
        let path = path
        do {
            let replies = try await onThread {
                try ControlClient.ask(.status(target: "a"), at: path, within: .seconds(30))
            }
            #expect(replies == [] && code == nil)
        } catch let error as LocalServicesError {
            #expect(error.code == code)
        }
        running.cancel()
        try await running.value
    }
}
