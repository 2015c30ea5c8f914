/// Combines the answers to the packets of one subscribe or unsubscribe call.
final class AcknowledgementCollector {
    private var codes: [MQTTReasonCode]
    private var answer = MQTTAcknowledgement(reasonCodes: [])
    private var missing: Int
    private var completion: ((Result<MQTTAcknowledgement, MQTTError>) -> Void)?

    /// Waits for the answers to this many packets, which contain this many reason codes in total.
    init(
        packets: Int, codes: Int,
        completion: @escaping (Result<MQTTAcknowledgement, MQTTError>) -> Void
    ) {
        self.codes = Array(repeating: .unspecifiedError, count: codes)
        self.missing = packets
        self.completion = completion
    }

    /// Hands packets to the library.
    /// - Parameter expect: is called with the identifier of each, and with what gets its answer.
    /// - Returns: why the last one that was not taken was not; nil if all were.
    func send(
        _ packets: [RequestPacket], on handle: MosquittoHandle,
        _ userProperties: [MQTTProperties.UserProperty],
        expecting expect: (UInt16, @escaping Outbox.RequestCompletion) -> Void
    ) -> MQTTError? {
        var failure: MQTTError?
        for request in packets {
            let (result, packet) = handle.send(request, userProperties: userProperties)
            if result.isSuccess {
                expect(packet) { [self] in receive($0, at: request.positions) }
            } else {
                failure = MQTTError(result, while: request.purpose)
            }
        }
        return failure
    }

    /// One packet was answered; its codes belong to the requests at these positions.
    func receive(_ result: Result<MQTTAcknowledgement, MQTTError>, at positions: [Int] = []) {
        switch result {
        case .success(let part):
            for (position, code) in zip(positions, part.reasonCodes) { codes[position] = code }
            answer.reasonString = answer.reasonString ?? part.reasonString
            answer.userProperties += part.userProperties
            missing -= 1
            guard missing == 0 else { return }
            answer.reasonCodes = codes
            finish(.success(answer))
        case .failure(let error): fail(error)
        }
    }

    func fail(_ error: MQTTError) {
        finish(.failure(error))
    }

    private func finish(_ result: Result<MQTTAcknowledgement, MQTTError>) {
        completion.take()?(result)
    }
}
