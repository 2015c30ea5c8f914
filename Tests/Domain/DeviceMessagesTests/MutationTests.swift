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
            let payload = generator.spoiled(try Message.random(&generator).payload)
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
