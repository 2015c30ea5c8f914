/// Sends the changes of a page to one browser, as server-sent events (WHATWG HTML, section 9.2).
///
/// A slow browser gets the newest content only: nothing is queued for it.
struct EventFeed: Sendable {
    /// Changes that come within this time are sent together.
    static let pause = Duration.milliseconds(120)
    /// How long a browser waits before it connects again, in milliseconds.
    static let retryDelay = 1_500

    let page: LivePage
    /// The mark of what the browser shows, by the last event that it got or by the page that it read.
    let lastMark: String
    let clock: any Clock<Duration>

    /// The events for a browser that has just connected.
    func events(_ watcher: LivePage.Watcher) -> Events {
        Events(feed: self, changes: watcher.changes.makeAsyncIterator())
    }

    /// The events for one browser, each of them made when the one before was sent.
    struct Events {
        private let feed: EventFeed
        private var changes: AsyncStream<Void>.AsyncIterator
        private var browser: BrowserContent
        private var isFirst = true

        fileprivate init(feed: EventFeed, changes: AsyncStream<Void>.AsyncIterator) {
            self.feed = feed
            self.changes = changes
            browser = BrowserContent(mark: feed.lastMark)
        }

        /// What is sent next; `nil` at the end.
        /// - Throws: `CancellationError`.
        mutating func next() async throws -> String? {
            guard !isFirst else {
                isFirst = false
                return "retry: \(EventFeed.retryDelay)\n\n"
            }
            guard await changes.next(isolation: #isolation) != nil else { return nil }
            try await feed.clock.sleep(for: EventFeed.pause)
            // Without a change it is the sign that the server is there.
            return browser.update(to: await feed.page.current()) ?? ": unchanged\n\n"
        }
    }
}
