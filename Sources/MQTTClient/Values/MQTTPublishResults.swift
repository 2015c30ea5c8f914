/// What became of the messages of one ``MQTTClient/publish(contentsOf:)``, in their order: of each the
/// broker's reason, or at QoS 0 success once it was written, or why neither is known.
///
/// A failure `connectionLost` or `cancelled` says that the broker may have the message; every other one
/// that it was not sent.
public struct MQTTPublishResults: RandomAccessCollection, Sendable {
    /// Results repeat and errors are large: a message has a small value of its own and shares errors.
    private enum Outcome {
        case open
        case answered(MQTTReasonCode)
        case failed(Int)
    }

    private var outcomes: [Outcome]
    private var errors: [MQTTError] = []
    /// Messages of which it is not known yet what became of them.
    private(set) var openCount: Int

    init(count: Int) {
        outcomes = Array(repeating: .open, count: count)
        openCount = count
    }

    public var startIndex: Int { outcomes.startIndex }
    public var endIndex: Int { outcomes.endIndex }

    /// The broker's reason, which may be an error of its own, or why there is none.
    public subscript(position: Int) -> Result<MQTTReasonCode, MQTTError> {
        switch outcomes[position] {
        case .answered(let reason): .success(reason)
        case .failed(let error): .failure(errors[error])
        case .open: preconditionFailure("results are handed out once every message has one")
        }
    }

    /// Whether every message was taken: none failed, and no reason is an error.
    public var allSucceeded: Bool {
        outcomes.allSatisfy { outcome in
            switch outcome {
            case .answered(let reason): !reason.isError
            case .failed, .open: false
            }
        }
    }

    /// The reasons in the order of the messages. Throws the first failure; a reason that is an error
    /// is none (see ``MQTTReasonCode/isError``).
    public func get() throws(MQTTError) -> [MQTTReasonCode] {
        var reasons: [MQTTReasonCode] = []
        reasons.reserveCapacity(count)
        for result in self { reasons.append(try result.get()) }
        return reasons
    }

    // MARK: While they come in

    /// The first result of a message counts.
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
