/// Puts the answers to the packets of one subscribe call together.
final class SubscribeCollector {
    private var reasons: [MQTTReasonCode]
    private var missing: Int
    private var completion: ((Result<[MQTTReasonCode], MQTTError>) -> Void)?

    init(count: Int, completion: @escaping (Result<[MQTTReasonCode], MQTTError>) -> Void) {
        self.reasons = Array(repeating: .unspecifiedError, count: count)
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
    func receive(_ result: Result<[MQTTReasonCode], MQTTError>, at positions: [Int]) {
        switch result {
        case .success(let codes):
            for (position, code) in zip(positions, codes) { reasons[position] = code }
            missing -= positions.count
            if missing == 0 { finish(.success(reasons)) }
        case .failure(let error): fail(error)
        }
    }

    func fail(_ error: MQTTError) {
        finish(.failure(error))
    }

    private func finish(_ result: Result<[MQTTReasonCode], MQTTError>) {
        completion.take()?(result)
    }
}
