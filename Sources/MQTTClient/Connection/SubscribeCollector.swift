/// Puts the answers to the packets of one subscribe call together.
final class SubscribeCollector {
    private var answer: MQTTAcknowledgement
    private var missing: Int
    private var completion: ((Result<MQTTAcknowledgement, MQTTError>) -> Void)?

    init(count: Int, completion: @escaping (Result<MQTTAcknowledgement, MQTTError>) -> Void) {
        self.answer = MQTTAcknowledgement(
            reasonCodes: Array(repeating: .unspecifiedError, count: count))
        self.missing = count
        self.completion = completion
    }

    /// The requests that can share a packet, with their positions.
    static func groups(
        of requests: [MQTTSubscriptionRequest]
    ) -> [(positions: [Int], requests: [MQTTSubscriptionRequest])] {
        var groups: [(positions: [Int], requests: [MQTTSubscriptionRequest])] = []
        for (position, request) in requests.enumerated() {
            let match = groups.firstIndex {
                $0.requests[0].qos == request.qos
                    && $0.requests[0].optionBits == request.optionBits
                    && $0.requests[0].identifier == request.identifier
            }
            if let match {
                groups[match].positions.append(position)
                groups[match].requests.append(request)
            } else {
                groups.append(([position], [request]))
            }
        }
        return groups
    }

    /// One packet was answered.
    func receive(_ result: Result<MQTTAcknowledgement, MQTTError>, at positions: [Int]) {
        switch result {
        case .success(let part):
            for (position, code) in zip(positions, part.reasonCodes) {
                answer.reasonCodes[position] = code
            }
            answer.reasonString = answer.reasonString ?? part.reasonString
            answer.userProperties += part.userProperties
            missing -= positions.count
            if missing == 0 { finish(.success(answer)) }
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
