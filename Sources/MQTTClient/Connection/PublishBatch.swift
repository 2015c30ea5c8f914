/// Messages that are published one after the other and awaited together. Confined to the loop.
final class PublishBatch {
    let messages: [MQTTMessage]
    /// The window's name for it while some of its messages wait.
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

    /// Nothing more will be heard of the messages from `index` on that have no result.
    func fail(from index: Int, with error: MQTTError) {
        results.fail(from: index, with: error)
        finishIfComplete()
    }

    /// Tells the results, once, when there are all of them; an empty batch has none to wait for.
    func finishIfComplete() {
        guard results.openCount == 0 else { return }
        completion.take()?(results)
    }
}
