import Synchronization

/// Numbers that a seed determines (SplitMix64, Steele, Lea and Flood 2014).
final class SeededRandom: Sendable {
    private let state: Mutex<UInt64>

    init(seed: UInt64) {
        state = Mutex(seed)
    }

    func next(in range: Range<Int>) -> Int {
        let number = state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
        return range.lowerBound + Int(number % UInt64(range.count))
    }
}
