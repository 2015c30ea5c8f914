import FleetControl
import FlyingSocks
import Glibc
import TestSupport
import Testing

/// Asking a fleet.
@Suite(.timeLimit(.minutes(1))) struct ControlClientTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/control.sock" }

    init() throws { folder = try TemporaryFolder() }

    private func listener() throws -> Socket {
        let socket = try Socket(domain: AF_UNIX)
        try socket.bind(to: .unix(path: path))
        try socket.listen()
        return socket
    }

    @Test func nobodyIsNoFleet() async throws {
        #expect(try await ControlClient.ask(.faults, at: path, within: .seconds(10)) == nil)
    }

    @Test func aFleetThatDoesNotAnswerIsAnError() async throws {
        let fleet = try listener()
        defer { try? fleet.close() }
        let error = await #expect(throws: ControlError.self) {
            try await ControlClient.ask(.faults, at: path, within: .zero)
        }
        #expect(error?.isRefusal == false)
        #expect(error?.description.contains("\(path) does not answer") == true)
    }

    @Test(
        arguments: [
            (#"{"reply":"done"}"#, nil), (#"{"reply":"refused","reason":"no such device"}"#, true),
            (#"{"reply":"dance"}"#, false), ("", false),
        ] as [(String, Bool?)])
    func theAnswerIsReadOrNamesWhatIsWrong(answer: String, isRefusal: Bool?) async throws {
        let fleet = try listener()
        defer { try? fleet.close() }
        async let asked = ControlClient.ask(.status(target: "a"), at: path, within: .seconds(30))
        let peer = Socket(file: try fleet.accept().file)
        let request = try peer.read(atMost: 1_024)
        #expect(request == ControlRequest.status(target: "a").line + [UInt8(ascii: "\n")])
        for byte in answer.utf8 + [UInt8(ascii: "\n")] {
            _ = try peer.write(.init([byte]), from: 0)
        }
        try peer.close()
        do {
            let replies = try await asked
            #expect(replies == [] && isRefusal == nil)
        } catch let error as ControlError {
            #expect(error.isRefusal == isRefusal)
        }
    }
}
