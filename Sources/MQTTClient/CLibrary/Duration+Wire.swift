extension Duration {
    /// Whole seconds, rounded up, as MQTT 5 writes intervals.
    var wholeSeconds: UInt32 {
        let (seconds, rest) = attoseconds.quotientAndRemainder(
            dividingBy: 1_000_000_000_000_000_000)
        return UInt32(clamping: rest > 0 ? seconds + 1 : seconds)
    }

    /// Whole nanoseconds; negative durations count as none, those of more than 292 years as that.
    var wholeNanoseconds: UInt64 {
        guard self > .zero else { return 0 }
        return UInt64(min(attoseconds / 1_000_000_000, Int128(Int64.max)))
    }
}
