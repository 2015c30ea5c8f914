import Basics

/// Noise that can be looked up at any time of the world.
enum SmoothNoise {
    /// A number from 0 to 1 that changes slowly.
    /// - Parameter interval: the seconds from one random value to the next.
    static func value(seed: UInt64, at second: Int, every interval: Int) -> Double {
        let index = second.floored(by: interval)
        let share = Double(second - index * interval) / Double(interval)
        let from = SeededGenerator.noise(seed: seed, index: index)
        let to = SeededGenerator.noise(seed: seed, index: index + 1)
        return from + (to - from) * share * share * (3 - 2 * share)
    }
}

extension Int {
    /// The quotient, rounded down also where the number is negative.
    func floored(by divisor: Int) -> Int {
        let quotient = self / divisor
        return quotient * divisor > self ? quotient - 1 : quotient
    }

    /// What ``floored(by:)`` leaves; never negative.
    func rest(by divisor: Int) -> Int { self - floored(by: divisor) * divisor }
}

/// A number at both ends of a minute, straight between them.
struct MinuteLine: Hashable, Sendable {
    /// At the start of the minute.
    var start = 0.0
    /// At its end.
    var end = 0.0

    /// The number at a share of the minute, 0…1.
    func value(at share: Double) -> Double { start + (end - start) * share }
}
