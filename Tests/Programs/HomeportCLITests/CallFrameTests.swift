import Homeport
import TerminalOutput
import TestSupport
import Testing

@testable import HomeportCLI

/// What a call and its server write to each other.
@Suite struct CallFrameTests {
    @Test func framesAreReadFromAnyPieces() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let frames = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                Self.frame(using: &generator)
            }
            var rest = frames.flatMap(\.bytes)[...]
            var buffer: ArraySlice<UInt8> = []
            var read: [CallFrame] = []
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...9, using: &generator))
                rest = rest.dropFirst(piece.count)
                buffer += piece
                while let frame = CallFrame.take(from: &buffer) { read.append(frame) }
            }
            #expect(read == frames)
            #expect(buffer.isEmpty)
        }
    }

    @Test func anUnknownFrameIsDeclined() {
        var bytes: ArraySlice<UInt8> = [0x7A, 0, 0, 0, 1, 9]
        #expect(CallFrame.take(from: &bytes) == .declined)
        #expect(bytes.isEmpty)
    }

    @Test func aRequestIsReadBack() throws {
        let words = ["send", "lamp-1", "set-name", "name=Löwe\n\"quoted\""]
        let screen = Screen(
            remarksAreSeen: true, movesCursor: false, usesColour: true,
            size: { TerminalSize(columns: 90, rows: 30) })
        let request = try #require(
            CallRequest(CallRequest(words: words, screen: screen).line.dropLast()))
        #expect(request.words == words)
        #expect(request.screen.remarksAreSeen && request.screen.usesColour)
        #expect(!request.screen.movesCursor)
        #expect(request.screen.size() == TerminalSize(columns: 90, rows: 30))
    }

    @Test func aServerKnowsTheWidthOfItsCaller() {
        let screen = Screen(
            remarksAreSeen: true, movesCursor: false, usesColour: false, size: { nil },
            remarkColumns: { 30 })
        let line = CallRequest(words: ["devices"], screen: screen).line
        #expect(CallRequest(Array(line.dropLast()))?.screen.remarkColumns() == 30)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"words":"send"}"#, #"{"words":[1]}"#, "{\"words\":[\"a\"]",
    ])
    func rubbishIsNoRequest(text: String) {
        #expect(CallRequest(Array(text.utf8)) == nil)
    }

    private static func frame(using generator: inout SeededGenerator) -> CallFrame {
        let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
        }
        return switch Int.random(in: 0..<5, using: &generator) {
        case 0: .results(bytes)
        case 1: .remarks(bytes)
        case 2: .ready
        case 3: .status(Int32.random(in: 0...255, using: &generator))
        default: .declined
        }
    }
}
