import Basics
import DeviceDomain

/// The way to the meter at the grid of a home: a cable or a radio link, which can fail.
struct MeterLink: Hashable, Sendable {
    /// The stores at which a fault has cut it.
    private var cuts: Set<DeviceID> = []
    /// What it wears from; `nil` in a run that did not ask for it.
    private var seed: UInt64?
    /// Whether it has failed by itself in this minute.
    private var isDown = false
    /// The load that the meter showed last, in W, while it does not answer.
    private(set) var lastLoadW: Double?

    /// Whether the meter does not answer.
    var isLost: Bool { isDown || !cuts.isEmpty }

    /// From now on it fails by itself now and then.
    mutating func wear(seed: UInt64) { self.seed = seed }

    /// A fault cuts it, or ends.
    mutating func set(_ isCut: Bool, at device: DeviceID) {
        if isCut { cuts.insert(device) } else { cuts.remove(device) }
    }

    /// Adds what another store of the home knows.
    mutating func merge(_ other: MeterLink) {
        cuts.formUnion(other.cuts)
        seed = seed ?? other.seed
        lastLoadW = lastLoadW ?? other.lastLoadW
    }

    /// Keeps what the meter showed last.
    mutating func keep(loadW: Double?) { lastLoadW = loadW }

    /// A minute of the world begins: whether it fails belongs to a stretch of six hours.
    mutating func passMinute(at second: Int) {
        guard let seed else { return }
        let stretch = second.floored(by: Self.stretch)
        guard SeededGenerator.noise(seed: seed, index: stretch) < HomeRatings.meterFailure.value
        else {
            isDown = false
            return
        }
        let begin = SeededGenerator.noise(seed: seed &+ 1, index: stretch) * 0.9
        let minutes = HomeRatings.meterSilence.value(
            at: SeededGenerator.noise(seed: seed &+ 2, index: stretch))
        let into = Double(second.rest(by: Self.stretch)) - begin * Double(Self.stretch)
        isDown = into >= 0 && into < minutes * 60
    }

    /// In s.
    private static let stretch = 21_600
}
