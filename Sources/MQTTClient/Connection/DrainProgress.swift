/// A close that waits for what is outstanding.
struct DrainProgress {
    /// Everybody who asked for the end.
    var completions: [(MQTTDrainReport) -> Void]
    var delivered = 0
    var isDisconnectSent = false

    func report(undelivered: Int, unsent: [MQTTMessage]) -> MQTTDrainReport {
        MQTTDrainReport(
            delivered: delivered, undelivered: undelivered, unsent: unsent,
            isDisconnectSent: isDisconnectSent)
    }
}
