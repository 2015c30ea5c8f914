/// Tasks that wait for an answer, by number. Each is resumed exactly once: whoever takes it out of here
/// must do it.
struct PendingAnswers<Value: Sendable> {
    typealias Continuation = CheckedContinuation<Result<Value, MQTTError>, Never>

    private var waiting: [UInt64: Continuation] = [:]

    mutating func insert(_ continuation: Continuation, as number: UInt64) {
        waiting[number] = continuation
    }

    /// Gives the answer to its task; does nothing if that has gone.
    mutating func resume(_ number: UInt64, with result: Result<Value, MQTTError>) {
        waiting.removeValue(forKey: number)?.resume(returning: result)
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
        .cancelled, "the task was cancelled before the broker answered")
}
