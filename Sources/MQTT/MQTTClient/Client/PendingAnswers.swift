/// Tasks that wait for an answer, by number. Each is resumed exactly once, by the caller that removes it.
struct PendingAnswers<Value: Sendable> {
    typealias Continuation = CheckedContinuation<Result<Value, MQTTError>, Never>

    private var waiting: [UInt64: Continuation] = [:]

    var isEmpty: Bool { waiting.isEmpty }

    mutating func insert(_ continuation: Continuation, as number: UInt64) {
        waiting[number] = continuation
    }

    /// Resumes a task with its answer; false if the task no longer waits.
    @discardableResult
    mutating func resume(_ number: UInt64, with result: Result<Value, MQTTError>) -> Bool {
        guard let continuation = waiting.removeValue(forKey: number) else { return false }
        continuation.resume(returning: result)
        return true
    }

    /// Resumes every task with the same answer.
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
