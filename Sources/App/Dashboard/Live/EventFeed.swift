internal import Markup

/// Sends the changes of a page to one browser, as server-sent events (WHATWG HTML, section 9.2).
///
/// A slow browser gets the newest content only: nothing is queued for it.
struct EventFeed: Sendable {
    /// Changes that come within this time are sent together.
    static let pause = Duration.milliseconds(120)
    /// How often browsers that hear of no change get a sign that the server is there. The script of a page
    /// says that it is not after three of them have not come.
    static let beat = Duration.seconds(2)
    /// How long a browser waits before it connects again, in milliseconds.
    static let retryDelay = 1_500

    /// An event that says only that the server is there: a script hears no comments.
    private static let sign = "event: beat\ndata: \n\n"

    let page: LivePage
    /// The mark of what the browser shows, by the last event that it got or by the page that it read.
    let lastMark: String
    /// Whose browser it is; the changes end with the session.
    let session: BrowserSession
    let sessions: SessionStore
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
        private var sentAt = ContinuousClock.now

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
            while await changes.next(isolation: #isolation) != nil {
                try await feed.clock.sleep(for: EventFeed.pause)
                guard feed.sessions.isOpen(feed.session) else { return nil }
                let event = browser.update(to: await feed.page.current())
                guard event != nil || .now - sentAt >= EventFeed.beat / 2 else { continue }
                sentAt = .now
                return event ?? EventFeed.sign
            }
            return nil
        }
    }
}
