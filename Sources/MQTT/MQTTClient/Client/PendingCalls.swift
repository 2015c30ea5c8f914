/// The calls of a client that wait for an answer, each with a number of its own.
struct PendingCalls {
    /// For the connection.
    var connecting = PendingAnswers<MQTTConnectionInfo>()
    /// For the acknowledgement of a message, of which only the code is wanted.
    var publishing = PendingAnswers<MQTTReasonCode>()
    /// For the full acknowledgement of a packet.
    var acknowledging = PendingAnswers<MQTTAcknowledgement>()
    /// For the end of the client.
    var ending = PendingAnswers<Void>()
    /// For the end of a batch.
    var batches: [UInt64: PublishBatch] = [:]
    private var lastNumber: UInt64 = 0

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Whether nobody waits for the connection, or for its end.
    var isConnectionUnused: Bool { connecting.isEmpty && ending.isEmpty }

    /// The connection has ended.
    mutating func ended(_ connecting: MQTTError, ending: Result<Void, MQTTError>) {
        self.connecting.resumeAll(with: .failure(connecting))
        self.ending.resumeAll(with: ending)
    }
}
