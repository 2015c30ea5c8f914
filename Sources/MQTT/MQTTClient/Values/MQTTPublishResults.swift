/// The results of one ``MQTTClient/publish(contentsOf:)``, in the order of the messages. Each is the broker's
/// reason code, at QoS 0 success when the message was written, or an error.
///
/// After `connectionLost` or `cancelled` the broker may have the message. After any other error it was not
/// sent.
public struct MQTTPublishResults: RandomAccessCollection, Sendable {
    /// Results repeat and errors are large, so each message has a small value, and errors are shared.
    private enum Outcome {
        case open
        case answered(MQTTReasonCode)
        case failed(Int)
    }

    private var outcomes: [Outcome]
    private var errors: [MQTTError] = []
    /// How many messages have no result yet.
    private(set) var openCount: Int

    init(count: Int) {
        outcomes = Array(repeating: .open, count: count)
        openCount = count
    }

    public var startIndex: Int { outcomes.startIndex }
    public var endIndex: Int { outcomes.endIndex }

    /// The broker's reason code, which may itself be an error, or why there is none.
    public subscript(position: Int) -> Result<MQTTReasonCode, MQTTError> {
        switch outcomes[position] {
        case .answered(let reason): .success(reason)
        case .failed(let error): .failure(errors[error])
        case .open: preconditionFailure("results are handed out once every message has one")
        }
    }

    /// Whether the broker accepted every message: none failed, and no reason code is an error.
    public var allSucceeded: Bool {
        outcomes.allSatisfy { outcome in
            switch outcome {
            case .answered(let reason): !reason.isError
            case .failed, .open: false
            }
        }
    }

    /// The reason codes in the order of the messages. Throws the first failure; a reason code that is an
    /// error (see ``MQTTReasonCode/isError``) is not thrown.
    public func get() throws(MQTTError) -> [MQTTReasonCode] {
        var reasons: [MQTTReasonCode] = []
        reasons.reserveCapacity(count)
        for result in self { reasons.append(try result.get()) }
        return reasons
    }

    // MARK: Collecting results

    /// Sets the result of a message, unless it has one.
    mutating func set(_ index: Int, to result: Result<MQTTReasonCode, MQTTError>) {
        guard case .open = outcomes[index] else { return }
        openCount -= 1
        switch result {
        case .success(let reason): outcomes[index] = .answered(reason)
        case .failure(let error):
            outcomes[index] = .failed(errors.count)
            errors.append(error)
        }
    }

    /// Fails every message from `index` on that has no result.
    mutating func fail(from index: Int, with error: MQTTError) {
        for position in outcomes.indices[index...] {
            guard case .open = outcomes[position] else { continue }
            openCount -= 1
            outcomes[position] = .failed(errors.count)
        }
        errors.append(error)
    }
}
