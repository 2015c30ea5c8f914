import Dispatch

/// Writes drafts of a journal one after the other, away from the event loop: fsync takes as long as the disk does.
struct JournalRewriter: Sendable {
    private let queue = DispatchQueue(label: "journal", qos: .utility)

    /// Writes a draft; `completion` is called on another thread.
    func perform(
        _ rewrite: JournalRewrite,
        completion: @escaping @Sendable (JournalRewrite.Outcome) -> Void
    ) {
        queue.async { completion(rewrite.perform()) }
    }

    /// Returns once nothing is written any more.
    func drain() async {
        await withCheckedContinuation { waiter in queue.async { waiter.resume() } }
    }
}
