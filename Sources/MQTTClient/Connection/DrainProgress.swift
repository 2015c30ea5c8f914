/// A close that waits for outstanding acknowledgements.
struct DrainProgress {
    /// The completions of all calls that asked for the close.
    var completions: [(MQTTDrainReport) -> Void]
    var delivered = 0
    var isDisconnectSent = false

    func report(undelivered: Int, unsent: [MQTTMessage]) -> MQTTDrainReport {
        MQTTDrainReport(
            delivered: delivered, undelivered: undelivered, unsent: unsent,
            isDisconnectSent: isDisconnectSent)
    }
}
