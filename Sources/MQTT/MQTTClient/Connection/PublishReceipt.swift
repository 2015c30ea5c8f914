/// The receiver of a message's result.
enum PublishReceipt {
    case nobody
    case call((Result<MQTTAcknowledgement, MQTTError>) -> Void)
    /// A batch, which completes when all its messages have.
    case batch(PublishBatch, index: Int)

    /// The message is done.
    func resolve(_ result: Result<MQTTAcknowledgement, MQTTError>) {
        switch self {
        case .nobody: break
        case .call(let completion): completion(result)
        case .batch(let batch, let index): batch.resolve(index, with: result.map(\.reasonCode))
        }
    }

    /// The message will not be sent, nor the later ones of its batch.
    func resolveUnsent(_ error: MQTTError) {
        switch self {
        case .nobody: break
        case .call(let completion): completion(.failure(error))
        case .batch(let batch, let index): batch.fail(from: index, with: error)
        }
    }
}
