extension Duration {
    /// Whole seconds, rounded up, as MQTT 5 writes intervals.
    var wholeSeconds: UInt32 {
        let (seconds, rest) = attoseconds.quotientAndRemainder(
            dividingBy: 1_000_000_000_000_000_000)
        return UInt32(clamping: rest > 0 ? seconds + 1 : seconds)
    }

    /// Whole nanoseconds, at least 0 and at most 292 years.
    var wholeNanoseconds: UInt64 {
        guard self > .zero else { return 0 }
        return UInt64(min(attoseconds / 1_000_000_000, Int128(Int64.max)))
    }
}
