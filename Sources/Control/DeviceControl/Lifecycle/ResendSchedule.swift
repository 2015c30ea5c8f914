/// When a command without an ack is sent again: 1, 2, 4 and 8 s after the send before, ± 20 %;
/// after that every 8 s (PROTOCOL section 4).
package struct ResendSchedule: Hashable, Sendable {
    /// The waits before their scatter.
    package static let delays: [Duration] = [
        .seconds(1), .seconds(2), .seconds(4), .seconds(8),
    ]
    /// The scatter as a part of each wait.
    package static let scatter = 0.2

    private var position = 0
    private var random: UInt64

    /// A schedule whose scatter follows from a seed.
    package init(seed: UInt64) { random = seed }

    /// The next wait.
    package mutating func next() -> Duration {
        let delay = Self.delays[min(position, Self.delays.count - 1)]
        position += 1
        return delay * (1 + Self.scatter * (2 * nextFraction() - 1))
    }

    /// Begins again with the shortest wait; the scatter goes on.
    package mutating func restart() { position = 0 }

    /// A number from 0 up to 1, by the SplitMix64 generator (Steele, Lea, Flood 2014).
    private mutating func nextFraction() -> Double {
        random &+= 0x9E37_79B9_7F4A_7C15
        var bits = random
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return Double(bits >> 11) * 0x1p-53
    }
}
