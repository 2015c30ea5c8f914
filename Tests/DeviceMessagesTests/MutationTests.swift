import DeviceMessages
import TestSupport
import Testing

@Suite struct MutationTests {
    /// A thousand malformed payloads of each type: a typed error, or a value that is stable.
    @Test(arguments: MessageKind.all)
    func mutatedPayloadsAreRefusedOrStable(kind: MessageKind) throws {
        try mutate(kind.type)
    }

    private func mutate<Message: RandomMessage>(_: Message.Type) throws {
        var generator = SeededGenerator(seed: 4)
        var refused = 0
        for _ in 0..<1_000 {
            var payload = try Message.random(&generator).payload
            for _ in 0..<generator.integer(1...3) { generator.mutate(&payload) }
            do {
                let message = try Message(payload: payload)
                #expect(try Message(payload: message.payload) == message)
            } catch {
                #expect(!error.message.isEmpty)
                #expect(error.offset.map { (0...payload.count).contains($0) } ?? true)
                refused += 1
            }
        }
        #expect(refused > 500, "the mutations must hurt")
    }

    @Test func everyPrefixOfACommandIsUnreadable() throws {
        var generator = SeededGenerator(seed: 5)
        let payload = try CommandMessage.random(&generator).payload
        for length in 0..<payload.count {
            guard case .unreadable = CommandMessage.read(Array(payload[..<length])) else {
                Issue.record("a prefix of \(length) bytes was read")
                return
            }
        }
    }

    @Test func everyByteOnItsOwnIsNoPayload() {
        for byte in UInt8.min...UInt8.max {
            #expect(throws: PayloadError.self) { try FenceMessage(payload: [byte]) }
        }
    }
}

extension SeededGenerator {
    /// Spoils a payload as networks and careless programs do.
    fileprivate mutating func mutate(_ payload: inout [UInt8]) {
        guard !payload.isEmpty else {
            return payload.append(UInt8.random(in: 0...255, using: &self))
        }
        let place = integer(0...(payload.count - 1))
        switch integer(0...7) {
        case 0: payload[place] = UInt8.random(in: 0...255, using: &self)
        case 1: payload.remove(at: place)
        case 2: payload.insert(UInt8.random(in: 0...255, using: &self), at: place)
        case 3: payload.removeSubrange(place...)
        case 4: payload.insert(contentsOf: pick(Self.snippets).utf8, at: place)
        case 5: payload[place] ^= 1 << UInt8(integer(0...7))
        case 6: payload.insert(contentsOf: payload[place...], at: place)
        default: payload.swapAt(place, integer(0...(payload.count - 1)))
        }
    }

    private static let snippets = [
        "null", "1e400", "\\ud800", "\u{FEFF}", "{", "}", "[", "]", "\"", ":", ",", "-", "0", ".5",
        "\"v\":1,", "\"v\":2,", "\"id\":7,", "true", String(repeating: "[", count: 20),
        "9007199254740993",
    ]
}
