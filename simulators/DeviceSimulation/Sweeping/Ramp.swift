/// A movement from rest to rest with a top speed and one acceleration: trapezoidal, or triangular where the top
/// speed is not reached. Lengths in any unit, times in seconds.
struct Ramp: Hashable, Sendable {
    /// How far it leads; not negative.
    let length: Double
    /// The highest speed.
    let speed: Double
    /// The acceleration at its beginning and the deceleration at its end.
    let acceleration: Double

    /// How long it takes, in seconds: s/v + v/a, or 2·√(s/a) where the top speed is not reached.
    var duration: Double {
        length * acceleration >= speed * speed
            ? length / speed + speed / acceleration : 2 * (length / acceleration).squareRoot()
    }

    /// How far it has led after some time.
    func travelled(after seconds: Double) -> Double {
        let duration = duration
        guard seconds < duration else { return length }
        let rampTime = min(speed / acceleration, duration / 2)
        let rest = duration - seconds
        if seconds < rampTime { return acceleration * seconds * seconds / 2 }
        if rest < rampTime { return length - acceleration * rest * rest / 2 }
        return acceleration * rampTime * (seconds - rampTime / 2)
    }
}
