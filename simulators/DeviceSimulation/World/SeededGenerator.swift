package import DeviceDomain

/// A deterministic generator of random numbers: SplitMix64 (Steele, Lea, Flood: "Fast splittable
/// pseudorandom number generators", OOPSLA 2014).
package struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// A stream of its own for one purpose of one device: the same (seed, home, device, purpose)
    /// gives the same numbers in every process, whatever other devices there are.
    package init(seed: UInt64, identity: DeviceIdentity, purpose: String) {
        self.init(seed: seed, parts: [identity.home.text, identity.device.text, purpose])
    }

    /// A stream of its own for one purpose of one home.
    package init(seed: UInt64, home: HomeID, purpose: String) {
        self.init(seed: seed, parts: [home.text, purpose])
    }

    private init(seed: UInt64, parts: [String]) {
        var hash = SeededGenerator.offset ^ SeededGenerator(seed: seed).peek
        for part in parts { hash = SeededGenerator.fold(part, into: hash) }
        state = hash
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// A number from `range`, each as likely as the other.
    package mutating func uniform(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * Self.unit(next())
    }

    /// A number from 0 to 1 that belongs to `index` alone: noise that can be looked up at any
    /// time of the world without having been drawn in order.
    package static func noise(seed: UInt64, index: Int) -> Double {
        unit(mix(seed &+ UInt64(bitPattern: Int64(index)) &* 0x9E37_79B9_7F4A_7C15))
    }

    private var peek: UInt64 { Self.mix(state) }

    private static func unit(_ bits: UInt64) -> Double { Double(bits >> 11) * 0x1p-53 }

    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// FNV-1a with a terminator, so that ("a", "bc") and ("ab", "c") differ.
    private static func fold(_ text: String, into hash: UInt64) -> UInt64 {
        var hash = hash
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (hash ^ 0xFF) &* 0x100_0000_01B3
    }

    private static let offset: UInt64 = 0xCBF2_9CE4_8422_2325
}
