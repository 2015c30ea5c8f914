package import DeviceDomain
import DeviceMessages

/// Moves the stamps of recorded messages into the time in which they are played.
package struct Restamping: Hashable, Sendable {
    /// When the recording began.
    private let recorded: Timestamp
    /// When playing began.
    private let played: Timestamp
    /// Recorded seconds per second.
    private let speed: Double

    /// - Parameter speed: how fast is played; above 0.
    package init(recordedAt recorded: Timestamp, playedAt played: Timestamp, speed: Double) {
        precondition(speed > 0, "a cassette has to go on")
        self.recorded = recorded
        self.played = played
        self.speed = speed
    }

    /// A payload whose integer members named `at` are moved; one that is no JSON stays as it is.
    ///
    /// Everything else keeps its bytes: members their order, numbers their digits.
    package func restamped(_ payload: [UInt8]) -> [UInt8] {
        let limits = JSONLimits(bytes: CassetteEntry.limits.bytes, depth: JSONLimits.deepest)
        guard (try? JSONReader.read(payload, limits: limits)) != nil else { return payload }
        var (moved, copied, place) = ([UInt8](), 0, 0)
        while place < payload.count {
            guard payload[place] == UInt8(ascii: "\"") else {
                place += 1
                continue
            }
            let start = place
            place = Self.end(ofStringAt: place, in: payload)
            guard payload[start..<place].elementsEqual("\"at\"".utf8),
                let number = Self.number(after: place, in: payload)
            else { continue }
            moved += payload[copied..<number.range.lowerBound]
            moved += Array("\(time(of: number.value))".utf8)
            (copied, place) = (number.range.upperBound, number.range.upperBound)
        }
        return moved + payload[copied...]
    }

    private func time(of stamp: Int) -> Int {
        let passed = Double(stamp - recorded.milliseconds) / speed
        return played.milliseconds + Int(passed.rounded())
    }

    /// The place behind the quote that ends a string.
    private static func end(ofStringAt start: Int, in text: [UInt8]) -> Int {
        var place = start + 1
        while place < text.count, text[place] != UInt8(ascii: "\"") {
            place += text[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place + 1, text.count)
    }

    /// The whole number that is the value of the member whose name ends there.
    private static func number(
        after name: Int, in text: [UInt8]
    ) -> (range: Range<Int>, value: Int)? {
        func skippingSpace(_ place: Int) -> Int {
            place + text[place...].prefix { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.count
        }
        let colon = skippingSpace(name)
        guard colon < text.count, text[colon] == UInt8(ascii: ":") else { return nil }
        let start = skippingSpace(colon + 1)
        let digits = text[start...].prefix { "+-.eE".utf8.contains($0) || (48...57).contains($0) }
        // A number of the protocol has at most 53 bits; others are no stamps.
        guard let value = Int(String(decoding: digits, as: UTF8.self)),
            value.magnitude <= UInt(JSONValue.largestInteger)
        else { return nil }
        return (digits.startIndex..<digits.endIndex, value)
    }
}
