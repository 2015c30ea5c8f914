import Basics

/// The converter of one store: what it is told, and how exactly it does it.
struct Converter: Hashable, Sendable {
    /// What it is told, in W; negative to give.
    var setpointW = 0.0
    private var response = ConverterResponse()
    /// Where its ripple comes from.
    private let ripple: UInt64

    private static let accuracy = StoreConstants.powerAccuracy.value

    /// - Parameter ripple: the seed of its inaccuracy.
    init(ripple: UInt64) { self.ripple = ripple }

    /// Follows its setpoint for one second.
    /// - Returns: the mean power of that second, in W.
    mutating func follow(second: Int, of system: StorageSystem) -> Double {
        var wanted = setpointW
        if wanted != 0 {
            let noise = 2 * SeededGenerator.noise(seed: ripple, index: second) - 1
            wanted += noise * Self.accuracy * system.chargeW
        }
        return response.follow(setpointW: wanted, system.response)
    }

    /// Is at its setpoint at once, because it forms the grid itself.
    mutating func jump() { response.jump(toW: setpointW) }

    /// Is at nothing at once, because it is blocked.
    mutating func block() {
        setpointW = 0
        response.jump(toW: 0)
    }
}
