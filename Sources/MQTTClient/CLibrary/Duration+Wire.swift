extension Duration {
    /// Whole seconds, rounded up, as MQTT 5 writes intervals.
    var wholeSeconds: UInt32 {
        let (seconds, attoseconds) = components
        return UInt32(clamping: attoseconds > 0 ? seconds + 1 : seconds)
    }

    /// Whole nanoseconds; negative durations count as none.
    var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let whole = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return whole.overflow ? .max / 2 : whole.partialValue + UInt64(attoseconds) / 1_000_000_000
    }
}
