/// A close that waits for what is outstanding.
struct DrainProgress {
    var completion: (MQTTDrainReport) -> Void
    /// What DISCONNECT will say.
    var properties: MQTTDisconnectProperties
    var delivered = 0
    var isDisconnectSent = false

    func report(undelivered: Int) -> MQTTDrainReport {
        MQTTDrainReport(
            delivered: delivered, undelivered: undelivered, isDisconnectSent: isDisconnectSent)
    }
}
