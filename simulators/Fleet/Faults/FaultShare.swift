import Basics
package import DeviceSimulation

/// Which of the devices that are meant get a fault.
///
/// Each device has a number of its own from 0 up to 1, which follows from its seed, the fault and what was written as
/// target. A share takes those with the lowest numbers: so the same share always takes the same devices, and a
/// larger one takes them too.
package enum FaultShare: Hashable, Sendable {
    /// This part of them, above 0 and at most 1; at least one device.
    case part(Double)
    /// Those whose number is not above this one: what a process of a fleet is told, which knows its own devices only.
    case upTo(Double)

    /// All of them.
    package static let all = FaultShare.part(1)

    /// A part as people write it.
    /// - Throws: `FaultRefusal` for one that is not above 0 and at most 1.
    package init(_ part: Double) throws(FaultRefusal) {
        guard part > 0, part <= 1 else {
            throw FaultRefusal("a share is a number above 0, and 1 at most: write 0.5 for half")
        }
        self = .part(part)
    }

    /// The places that it takes, in their order.
    func places(
        of places: [Int], among candidates: [FaultTarget.Candidate], _ order: FaultOrder,
        on target: String
    ) -> [Int] {
        if self == .all { return places }
        let bound = bound(of: places.map { candidates[$0] }, order, on: target)
        return places.filter { Self.number(of: candidates[$0], order, on: target) <= bound }
    }

    /// The highest number of a device that it takes.
    func bound(
        of devices: [FaultTarget.Candidate], _ order: FaultOrder, on target: String
    ) -> Double {
        switch self {
        case .upTo(let bound): return bound
        case .part(let part):
            let numbers = devices.map { Self.number(of: $0, order, on: target) }.sorted()
            guard !numbers.isEmpty else { return 0 }
            let count = max(1, Int((part * Double(numbers.count)).rounded()))
            return numbers[min(count, numbers.count) - 1]
        }
    }

    private static func number(
        of device: FaultTarget.Candidate, _ order: FaultOrder, on target: String
    ) -> Double {
        // FNV-1a over both names, as for the seeds of devices.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(order.name?.rawValue ?? "")/\(target)".utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        return SeededGenerator.fraction(of: SeededGenerator.mix(device.seed ^ hash))
    }
}
