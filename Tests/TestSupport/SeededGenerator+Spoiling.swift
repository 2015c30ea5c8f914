// Tests that need random numbers need no import for them.
@_exported public import Basics

extension SeededGenerator {
    /// Spoils a payload as networks and careless programs do.
    package mutating func spoil(_ payload: inout [UInt8]) {
        guard !payload.isEmpty else {
            return payload.append(UInt8.random(in: 0...255, using: &self))
        }
        let place = Int.random(in: 0..<payload.count, using: &self)
        switch Int.random(in: 0...7, using: &self) {
        case 0: payload[place] = UInt8.random(in: 0...255, using: &self)
        case 1: payload.remove(at: place)
        case 2: payload.insert(UInt8.random(in: 0...255, using: &self), at: place)
        case 3: payload.removeSubrange(place...)
        case 4: payload.insert(contentsOf: snippet().utf8, at: place)
        case 5: payload[place] ^= 1 << UInt8.random(in: 0...7, using: &self)
        case 6: payload.insert(contentsOf: payload[place...], at: place)
        default: payload.swapAt(place, Int.random(in: 0..<payload.count, using: &self))
        }
    }

    /// A payload that was spoiled once to three times.
    package mutating func spoiled(_ payload: [UInt8]) -> [UInt8] {
        var payload = payload
        for _ in 0..<Int.random(in: 1...3, using: &self) { spoil(&payload) }
        return payload
    }

    private mutating func snippet() -> String {
        Self.snippets[Int.random(in: 0..<Self.snippets.count, using: &self)]
    }

    private static let snippets = [
        "null", "1e400", "\\ud800", "\u{FEFF}", "{", "}", "[", "]", "\"", ":", ",", "-", "0", ".5",
        "\"v\":1,", "\"v\":2,", "\"id\":7,", "true", String(repeating: "[", count: 20),
        "9007199254740993",
    ]
}
