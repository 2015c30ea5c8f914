import Basics
import DeviceDomain

/// What the faults of one boot of a device draw: each from a stream of its own, which begins anew with the fault.
struct FaultDraws: Sendable {
    /// A fault that draws.
    private struct Stream {
        /// How likely it is that a message is hit, 0…1.
        let chance: Double
        var generator: SeededGenerator
    }

    private let identity: DeviceIdentity
    private let seed: UInt64
    private let boot: BootID
    private var streams: [SimulatedFault: Stream] = [:]

    /// - Parameter seed: what the device's own randomness derives from.
    init(of identity: DeviceIdentity, seed: UInt64, boot: BootID) {
        self.identity = identity
        self.seed = seed
        self.boot = boot
    }

    /// Takes the faults that draw from now on.
    mutating func follow(_ faults: ActiveFaults) {
        var present: [SimulatedFault: Stream] = [:]
        for active in faults.all {
            let name = active.fault.name
            let former = streams[name]?.generator
            present[name] = Stream(
                chance: active.fault.chance,
                generator: former
                    ?? SeededGenerator(
                        seed: seed, identity: identity,
                        purpose: "faults/\(name.rawValue)/\(boot.text)"))
        }
        streams = present
    }

    /// Whether a message is hit; never by a fault that the device does not have.
    mutating func hits(_ fault: SimulatedFault) -> Bool {
        guard let chance = streams[fault]?.chance else { return false }
        return fraction(for: fault) < chance
    }

    /// A number from a range, each as likely as the other.
    mutating func number(in range: ClosedRange<Double>, for fault: SimulatedFault) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * fraction(for: fault)
    }

    /// A whole number from 0 up, below `count`, which is at least 1.
    mutating func index(below count: Int, for fault: SimulatedFault) -> Int {
        min(count - 1, Int(fraction(for: fault) * Double(count)))
    }

    private mutating func fraction(for fault: SimulatedFault) -> Double {
        streams[fault]?.generator.nextFraction() ?? 0
    }
}
