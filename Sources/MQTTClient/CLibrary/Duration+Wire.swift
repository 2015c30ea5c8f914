extension Duration {
    /// Whole seconds, rounded up, as MQTT 5 writes intervals.
    var wholeSeconds: UInt32 {
        let (seconds, attoseconds) = components
        return UInt32(clamping: attoseconds > 0 ? seconds + 1 : seconds)
    }

    /// Whole nanoseconds; negative durations count as none.
    var wholeNanoseconds: UInt64 {
        guard self > .zero else { return 0 }
        return UInt64(exactly: attoseconds / 1_000_000_000) ?? .max / 2
    }
}
