import DeviceDomain
import DeviceMessages
import TestSupport

/// Random values of the domain, as wide as the protocol allows.
extension SeededGenerator {
    mutating func pick<Item>(_ items: [Item]) -> Item {
        items[Int.random(in: 0..<items.count, using: &self)]
    }

    mutating func chance(_ share: Double = 0.5) -> Bool {
        Double.random(in: 0..<1, using: &self) < share
    }

    mutating func text(upTo length: Int = 12) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\u{0}", "\u{1F}", "\u{7F}", "ä",
            "水", "🤖", "\u{2028}", "\u{FEFF}", "\u{10FFFF}", "{", "]", ",",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...length, using: &self) { text.append(pick(scalars)) }
        return String(text)
    }

    mutating func identifier<Role>(_: Role.Type = Role.self) throws -> Identifier<Role> {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789-")
        var text = String(pick(Array("abcxyz")))
        for _ in 0..<Int.random(in: 0...20, using: &self) { text.append(pick(letters)) }
        return try Identifier(text)
    }

    mutating func claimNonce() -> ClaimNonce {
        ClaimNonce(rawValue: "n" + text(upTo: 63)) ?? claimNonce()
    }

    mutating func claimToken() -> ClaimToken {
        ClaimToken(rawValue: "t" + text(upTo: 255)) ?? claimToken()
    }

    mutating func uniqueID<Role>() -> UniqueID<Role> {
        UniqueID(at: Timestamp(milliseconds: integer(0...1 << 47)), using: &self)
    }

    mutating func integer(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func count(from least: Int = 0) -> Int {
        chance(0.1) ? pick([least, JSONValue.largestInteger]) : integer(least...100_000)
    }

    mutating func time() -> Timestamp {
        Timestamp(milliseconds: integer(1_700_000_000_000...1_800_000_000_000))
    }

    mutating func number() -> Double {
        switch integer(0...5) {
        case 0: Double(integer(-1000...1000))
        case 1: Double(integer(-JSONValue.largestInteger...JSONValue.largestInteger))
        case 2: Double(integer(-100_000...100_000)) / 100
        case 3: Double.random(in: -1e6...1e6, using: &self)
        case 4:
            pick([
                .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e22, 1e23, -1e-7, 0.1, 1e16,
                1e18,
            ])
        default: Double(bitPattern: next() & 0x7FEF_FFFF_FFFF_FFFF)
        }
    }

    mutating func value(depth: Int = 3) -> JSONValue {
        switch integer(0...(depth > 0 ? 5 : 3)) {
        case 0: .null
        case 1: .boolean(chance())
        case 2: .number(number())
        case 3: .string(text())
        case 4: .array((0..<integer(0...3)).map { _ in value(depth: depth - 1) })
        default: .object(object(depth: depth - 1))
        }
    }

    mutating func object(depth: Int = 2) -> JSONObject {
        var members: JSONObject = [:]
        for _ in 0..<integer(0...4) { members[text(upTo: 5)] = value(depth: depth) }
        return members
    }

    mutating func schema(depth: Int = 2) -> ArgumentSchema {
        var schema = ArgumentSchema()
        if chance() { schema.type = pick(ArgumentSchema.ValueType.allCases) }
        if chance(0.3) { schema.allowed = (0..<integer(0...3)).map { _ in value(depth: 1) } }
        if chance(0.3) { schema.minimum = number() }
        if chance(0.3) { schema.maximum = number() }
        if chance(0.3) { schema.required = (0..<integer(0...3)).map { _ in text() } }
        schema.allowsAdditionalProperties = chance()
        guard depth > 0 else { return schema }
        if chance(0.3) { schema.items = self.schema(depth: depth - 1) }
        for _ in 0..<integer(0...2) { schema.properties[text()] = self.schema(depth: depth - 1) }
        return schema
    }

    mutating func specification() -> CommandSpecification {
        let policies: [OfflinePolicy] = [
            .failFast, .expire(after: .milliseconds(integer(0...86_400_000))), .latest, .barrier,
            .desired,
        ]
        let undoPolicies: [UndoPolicy] = [
            .none, .restore, .inverse(with: CommandName(rawValue: text())),
        ]
        return CommandSpecification(
            name: CommandName(rawValue: text()), arguments: chance(0.8) ? schema() : nil,
            lane: pick(CommandLane.allCases), sort: pick(CommandSort.allCases),
            offline: pick(policies), undo: pick(undoPolicies), needsIfRevision: chance(0.2))
    }

    mutating func plan() throws -> RoomPlan {
        let rooms = try (1...integer(1...4)).map { id in
            try PlannedRoom(
                id: id, name: chance() ? text() : nil, shape: try shape(),
                doors: try (0..<integer(0...2)).map { _ in
                    try PlannedDoor(
                        position: try position(), widthM: Double(integer(1...40)) / 8)
                })
        }
        return try RoomPlan(
            rooms: rooms, obstacles: try areas(), carpets: try areas(), noGo: try areas(),
            dock: chance() ? try dock() : nil,
            robotRadiusM: chance() ? Double(integer(1...8)) / 8 : nil)
    }

    private mutating func areas() throws -> [FloorArea] {
        try (0..<integer(0...2)).map { _ in
            try FloorArea(corners: [
                try position(), try FloorPosition(x: 500.25, y: 501),
                try FloorPosition(x: -700, y: 0.1),
            ])
        }
    }

    private mutating func dock() throws -> PlannedDock {
        try PlannedDock(
            position: try position(), headingDeg: chance() ? Double(integer(0...720)) / 2 : nil)
    }

    private mutating func shape() throws -> RoomShape {
        let (low, high) = (try position(), try FloorPosition(x: 500.25, y: 501))
        return chance()
            ? .rectangle(southWest: low, northEast: high)
            : .polygon([low, high, try FloorPosition(x: -700, y: 0.1)])
    }

    private mutating func position() throws -> FloorPosition {
        try FloorPosition(x: Double(integer(-4000...4000)) / 8, y: Double(integer(0...900)) / 3)
    }
}
