/// Who is told what became of a message.
enum PublishReceipt {
    case nobody
    case call((Result<MQTTReasonCode, MQTTError>) -> Void)
    /// A batch, which waits for all of its messages.
    case batch(PublishBatch, index: Int)

    /// The message is done.
    func resolve(_ result: Result<MQTTReasonCode, MQTTError>) {
        switch self {
        case .nobody: break
        case .call(let completion): completion(result)
        case .batch(let batch, let index): batch.resolve(index, with: result)
        }
    }

    /// The message will not be sent, nor what follows it in its batch.
    func resolveUnsent(_ error: MQTTError) {
        switch self {
        case .nobody: break
        case .call(let completion): completion(.failure(error))
        case .batch(let batch, let index): batch.fail(from: index, with: error)
        }
    }
}
