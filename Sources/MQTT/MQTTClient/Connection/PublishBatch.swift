/// Messages that are published in order and awaited together. Confined to the loop.
final class PublishBatch {
    let messages: [MQTTMessage]
    /// The key of the batch in the window while some of its messages are queued.
    var number: UInt64 = 0
    private var results: MQTTPublishResults
    private var completion: ((MQTTPublishResults) -> Void)?

    init(_ messages: [MQTTMessage], completion: @escaping (MQTTPublishResults) -> Void) {
        self.messages = messages
        self.results = MQTTPublishResults(count: messages.count)
        self.completion = completion
    }

    /// One message is done.
    func resolve(_ index: Int, with result: Result<MQTTReasonCode, MQTTError>) {
        results.set(index, to: result)
        finishIfComplete()
    }

    /// The messages from `index` on that have no result will not get one.
    func fail(from index: Int, with error: MQTTError) {
        results.fail(from: index, with: error)
        finishIfComplete()
    }

    /// Completes once, when every message has a result; an empty batch completes at once.
    func finishIfComplete() {
        guard results.openCount == 0 else { return }
        completion.take()?(results)
    }
}
