/// Random numbers that are the same for the same seed: SplitMix64 (Steele, Lea, Flood: "Fast splittable
/// pseudorandom number generators", OOPSLA 2014).
///
/// It is public, though no product exports it: the compiler specializes only public code across modules.
@frozen public struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    @usableFromInline var state: UInt64

    /// A generator at the start of its sequence.
    @inlinable public init(seed: UInt64) { state = seed }

    @inlinable public mutating func next() -> UInt64 {
        state &+= Self.increment
        return Self.mix(state)
    }

    /// A number from 0 up to 1.
    @inlinable public mutating func nextFraction() -> Double { Self.fraction(of: next()) }

    /// What is added to the state for each number.
    @inlinable public static var increment: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// Spreads a number over all 64 bits, so that neighbouring numbers share none.
    @inlinable public static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to 1 from the highest 53 bits.
    @inlinable public static func fraction(of bits: UInt64) -> Double {
        Double(bits >> 11) * 0x1p-53
    }
}
