/// An orderly close: what it does with the messages that are still outstanding, and who waits for its report.
struct DrainProgress {
    /// When the outstanding acknowledgements are no longer waited for, nanoseconds.
    let end: UInt64
    /// The properties of its DISCONNECT.
    private(set) var properties: MQTTDisconnectProperties
    /// The completions of all calls that asked for the close.
    private var completions: [(MQTTDrainReport) -> Void]
    private var delivered = 0
    private var isDisconnectSent = false

    init(
        end: UInt64, properties: MQTTDisconnectProperties = .none,
        completion: @escaping (MQTTDrainReport) -> Void
    ) {
        self.end = end
        self.properties = properties
        self.completions = [completion]
    }

    /// The owner asked again for the close: the end stays, the newer properties apply.
    mutating func join(_ other: DrainProgress) {
        properties = other.properties
        completions += other.completions
    }

    /// A message was acknowledged, or at QoS 0 written.
    mutating func didDeliver() {
        delivered += 1
    }

    /// DISCONNECT is written.
    mutating func didSendDisconnect() {
        isDisconnectSent = true
    }

    /// Reports to everybody who asked for the close.
    func complete(undelivered: Int, unsent: [MQTTMessage]) {
        let report = MQTTDrainReport(
            delivered: delivered, undelivered: undelivered, unsent: unsent,
            isDisconnectSent: isDisconnectSent)
        for completion in completions { completion(report) }
    }
}
