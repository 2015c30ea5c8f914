internal import Observation

/// A page that browsers have open: it is rendered once for all of them, when something that it shows has
/// changed and one of them wants to know.
@MainActor
final class LivePage {
    /// A browser that has it open.
    struct Watcher: Sendable {
        fileprivate let number: Int
        /// Has a value when something changed since the last value was taken; never more than one waits.
        let changes: AsyncStream<Void>
        fileprivate let continuation: AsyncStream<Void>.Continuation

        /// Ends the changes.
        func end() { continuation.finish() }
    }

    /// Reads again what other processes may have changed, and no other page shows.
    let readAgain: @MainActor () async -> Void
    private let render: @MainActor () -> LiveContent
    private var content = LiveContent(parts: [])
    private var isStale = true
    private var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastNumber = 0

    /// - Parameter render: makes it from observable models.
    init(
        render: @escaping @MainActor () -> LiveContent,
        readAgain: @escaping @MainActor () async -> Void = {}
    ) {
        self.render = render
        self.readAgain = readAgain
    }

    /// Whether any browser has it open.
    var isWatched: Bool { !watchers.isEmpty }

    /// What it shows now.
    func current() -> LiveContent {
        guard isStale else { return content }
        isStale = false
        content = withObservationTracking {
            render()
        } onChange: { [weak self] in
            // Models belong to the main actor, so they change there.
            MainActor.assumeIsolated { self?.invalidate() }
        }
        return content
    }

    /// Something that it shows has changed, or the time that it shows.
    func invalidate() {
        isStale = true
        for watcher in watchers.values { watcher.yield() }
    }

    /// Browsers may not have heard of the page for a while, and get a sign that the server is there. Nothing
    /// is rendered for it.
    func beat() {
        for watcher in watchers.values { watcher.yield() }
    }

    /// A browser opens the page; it is told at once that there is something to look at.
    func watch() -> Watcher {
        let (stream, continuation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        lastNumber += 1
        watchers[lastNumber] = continuation
        continuation.yield()
        return Watcher(number: lastNumber, changes: stream, continuation: continuation)
    }

    /// A browser has left the page.
    func leave(_ watcher: Watcher) {
        watchers[watcher.number] = nil
        watcher.end()
    }
}
