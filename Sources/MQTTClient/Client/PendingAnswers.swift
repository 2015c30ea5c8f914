/// Tasks that wait for an answer, by number. Each is resumed exactly once: whoever takes it out of here
/// must do it.
struct PendingAnswers<Value: Sendable> {
    typealias Continuation = CheckedContinuation<Result<Value, MQTTError>, Never>

    private var waiting: [UInt64: Continuation] = [:]

    var isEmpty: Bool { waiting.isEmpty }

    mutating func insert(_ continuation: Continuation, as number: UInt64) {
        waiting[number] = continuation
    }

    /// Gives the answer to its task; false if that has gone.
    @discardableResult
    mutating func resume(_ number: UInt64, with result: Result<Value, MQTTError>) -> Bool {
        guard let continuation = waiting.removeValue(forKey: number) else { return false }
        continuation.resume(returning: result)
        return true
    }

    /// Gives everybody the same answer.
    mutating func resumeAll(with result: Result<Value, MQTTError>) {
        let all = waiting
        waiting = [:]
        for continuation in all.values { continuation.resume(returning: result) }
    }
}

extension MQTTError {
    static let waitCancelled = MQTTError(
        .cancelled,
        "the task was cancelled before the broker answered: it may have acted all the same")
}
