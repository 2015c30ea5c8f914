package import Basics
package import DeviceDomain

// Streams of their own for devices and homes.
extension SeededGenerator {
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
        var hash = SeededGenerator.offset ^ SeededGenerator.mix(seed)
        for part in parts { hash = SeededGenerator.fold(part, into: hash) }
        self.init(seed: hash)
    }

    /// A number from `range`, each as likely as the other.
    package mutating func uniform(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * nextFraction()
    }

    /// A number from 0 to 1 that belongs to `index` alone: noise that can be looked up at any
    /// time of the world without having been drawn in order.
    package static func noise(seed: UInt64, index: Int) -> Double {
        fraction(of: mix(seed &+ UInt64(bitPattern: Int64(index)) &* increment))
    }

    /// FNV-1a with a terminator, so that ("a", "bc") and ("ab", "c") differ.
    private static func fold(_ text: String, into hash: UInt64) -> UInt64 {
        var hash = hash
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (hash ^ 0xFF) &* 0x100_0000_01B3
    }

    private static let offset: UInt64 = 0xCBF2_9CE4_8422_2325
}
