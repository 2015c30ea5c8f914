internal import Logging

extension Logger {
    /// Warns of what was not delivered before the end.
    func warnOfUndelivered(_ report: MQTTDrainReport, of client: MQTTClientID) {
        guard report.undelivered > 0 else { return }
        warning(
            "messages were not delivered before the end",
            metadata: [
                LogKey.clientID: "\(client)", LogKey.undelivered: "\(report.undelivered)",
                LogKey.unsent: "\(report.unsent.count)",
            ])
    }

    /// Warns of subscriptions that have stopped the socket for as long as they may.
    func warnOfFull(_ filters: [String], of client: MQTTClientID) {
        warning(
            """
            a subscription was full for half a keep-alive interval: the socket is read again, and what \
            exceeds twice its bound is dropped; if its consumer awaits a publish of this client, let it \
            use publishWithoutWaiting, or another client
            """,
            metadata: [
                LogKey.clientID: "\(client)",
                LogKey.filters: "\(filters.joined(separator: ", "))",
            ])
    }
}
