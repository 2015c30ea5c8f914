import DeviceDomain
import DeviceMessages
import Foundation
import TestSupport
import Testing

@Suite struct RoundTripTests {
    @Test(arguments: MessageKind.all)
    func whatIsWrittenIsReadAgain(kind: MessageKind) throws {
        try expectRoundTrips(of: kind.type)
    }

    private func expectRoundTrips<Message: RandomMessage>(of: Message.Type) throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<300 {
            let message = try Message.random(&generator)
            let payload = message.payload
            #expect(try Message(payload: payload) == message)
            #expect(try Message(payload: payload).payload == payload)
        }
    }

    @Test(arguments: MessageKind.all)
    func foundationReadsTheSameMembers(kind: MessageKind) throws {
        try expectSecondOpinion(of: kind.type)
    }

    private func expectSecondOpinion<Message: RandomMessage>(of: Message.Type) throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<100 {
            let payload = try Message.random(&generator).payload
            let second = try JSONDecoder().decode(SecondOpinion.self, from: Data(payload))
            #expect(try JSONReader.read(payload) == second.value)
        }
    }

    @Test func valuesSurviveTheirText() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<5_000 {
            let value = generator.value()
            let bytes = JSONWriter.write(value)
            #expect(try JSONReader.read(bytes) == value)
            #expect(JSONWriter.write(try JSONReader.read(bytes)) == bytes)
        }
    }
}

/// What Foundation's decoder parses, as our own type.
private struct SecondOpinion: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let flag = try? container.decode(Bool.self) {
            value = .boolean(flag)
        } else if let number = try? container.decode(Double.self) {
            value = .number(number)
        } else if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let items = try? container.decode([SecondOpinion].self) {
            value = .array(items.map(\.value))
        } else {
            value = .object(
                try container.decode([String: SecondOpinion].self).mapValues(\.value))
        }
    }
}
