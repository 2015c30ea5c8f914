import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// Rules that apply to every type of message, driven by its shape.
@Suite struct StrictnessTests {
    @Test(arguments: MessageKind.all)
    func membersAreWrittenInTheOrderOfTheShape(kind: MessageKind) throws {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<50 {
            let text = String(decoding: try kind.type.random(&generator).payload, as: UTF8.self)
            var places: [String.Index] = []
            for member in kind.type.shape.members {
                let place = text.firstRange(of: "\"\(member.name)\":")?.lowerBound
                if member.isRequired { #expect(place != nil) }
                if member.name != "name", let place { places.append(place) }
            }
            #expect(places == places.sorted() || text.contains("{\"name\""))
        }
    }

    @Test(arguments: MessageKind.all)
    func everyRequiredMemberIsMissed(kind: MessageKind) throws {
        for member in kind.type.shape.members {
            let error = try failure(kind) { $0[member.name] = nil }
            if member.isRequired {
                #expect(error?.code == .missingMember)
                #expect(error?.path == member.name)
            } else {
                #expect(error == nil)
            }
        }
    }

    @Test(arguments: MessageKind.all)
    func nullIsOnlyAllowedWhereThePageSaysSo(kind: MessageKind) throws {
        for member in kind.type.shape.members {
            let error = try failure(kind) { $0[member.name] = .some(.null) }
            #expect((error == nil) == member.isNullable, "\(member.name)")
            if let error { #expect(error.path == member.name) }
        }
    }

    @Test(arguments: MessageKind.all)
    func everyMemberOfAnotherTypeIsRefused(kind: MessageKind) throws {
        let values: [JSONValue] = [true, 7.5, 3, "x y", [], [:]]
        for member in kind.type.shape.members {
            for value in values where !member.type.allows(value) {
                let error = try failure(kind) { $0[member.name] = value }
                #expect(error != nil, "\(member.name): \(value)")
                #expect(error?.path == member.name)
            }
        }
    }

    @Test(arguments: MessageKind.all)
    func integersBeyondTheirRangeAreRefused(kind: MessageKind) throws {
        for member in kind.type.shape.members {
            guard case .integer(let range) = member.type else { continue }
            for number in [Double(range.lowerBound) - 1, Double(range.upperBound) + 1] {
                let error = try failure(kind) { $0[member.name] = .number(number) }
                #expect(error?.path == member.name, "\(member.name): \(number)")
            }
        }
    }

    @Test(arguments: MessageKind.all)
    func unknownMembersAreIgnored(kind: MessageKind) throws {
        #expect(try failure(kind) { $0["x-unknown"] = ["a": [nil, 1]] } == nil)
    }

    @Test(arguments: MessageKind.all)
    func anotherVersionIsRefused(kind: MessageKind) throws {
        #expect(try failure(kind) { $0["v"] = 2 }?.code == .unsupportedVersion)
    }

    @Test(arguments: MessageKind.all)
    func duplicatesInfinitiesMarksAndTrailersAreRefused(kind: MessageKind) throws {
        var generator = SeededGenerator(seed: 9)
        let payload = try kind.type.random(&generator).payload
        let body = Array(payload.dropFirst())
        func code(_ bytes: [UInt8]) -> PayloadError.Code? { error(kind.type, bytes)?.code }
        #expect(code(Array("{\"v\":1,".utf8) + body) == .duplicateMember)
        #expect(code(Array("{\"y\":0,\"y\":0,".utf8) + body) == .duplicateMember)
        #expect(code(Array("{\"y\":1e400,".utf8) + body) == .notFinite)
        #expect(code(Array("{\"y\":\"\\udc00\",".utf8) + body) == .notUTF8)
        #expect(code([0xEF, 0xBB, 0xBF] + payload) == .malformed)
        #expect(code(payload + [0]) == .malformed)
        #expect(code(payload + payload) == .malformed)
        #expect(code([0x5B] + payload + [0x5D]) == .wrongType)
        #expect(code(payload) == nil)
    }

    /// The error of a message after one of its members was changed.
    private func failure(
        _ kind: MessageKind, _ change: (inout JSONObject) -> Void
    ) throws -> PayloadError? {
        var generator = SeededGenerator(seed: 10)
        let payload = try kind.type.random(&generator).payload
        var members = try #require(try JSONReader.read(payload).object)
        change(&members)
        return error(kind.type, JSONWriter.write(.object(members)))
    }

    private func error<Message: PayloadMessage>(
        _: Message.Type, _ payload: [UInt8]
    ) -> PayloadError? {
        do {
            _ = try Message(payload: payload)
            return nil
        } catch {
            return error
        }
    }
}

extension PayloadType {
    /// Whether a value is of this type, told apart from the reader as coarsely as the tests need.
    fileprivate func allows(_ value: JSONValue) -> Bool {
        switch self {
        case .version: value == 1
        case .integer(let range): value.integer.map(range.contains) ?? false
        case .number: value.number != nil
        case .boolean: value.boolean != nil
        case .text(let length): value.string.map { $0.count <= length ?? .max } ?? false
        case .identifier: false
        case .choice(let texts): value.string.map(texts.contains) ?? false
        case .openName: value.string != nil
        case .object, .shape: value.object != nil
        case .schema: value.object != nil || value.boolean != nil
        case .array: value.array != nil
        case .either(let types): types.contains { $0.allows(value) }
        }
    }
}
