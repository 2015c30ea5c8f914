internal import Basics
internal import DeviceDomain
internal import Keychain

/// The browsers that may use the dashboard. They are kept in a file, so that a restart signs nobody out.
final class SessionStore: Sendable {
    /// How many browsers are remembered; the one that was away for longest is forgotten first. Only who is
    /// let in can add one.
    static let limit = 64
    /// After so many milliseconds without a request a browser is forgotten: 30 days.
    static let idleLimit = 30 * 86_400_000
    /// How old, in milliseconds, the kept time of the last request may become: a day.
    static let renewalInterval = 86_400_000

    private struct Entry {
        /// When it asked for something last.
        var seenAt: Int
        /// The time of the last request as the file has it; `nil` where the file does not have it.
        var keptAt: Int?
        /// What is told when the session ends, by number.
        var followers: [Int: @Sendable () -> Void] = [:]
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var lastNumber = 0
    }

    private let state: Guarded<State>
    /// Held while the file is written, so that the newest state is written last.
    private let writing = Guarded<Void>(())
    private let file: AccessFile?
    private let host: String
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - kept: what the file contains.
    ///   - file: where the browsers are kept; `nil` for in this process alone.
    init(
        _ kept: AccessRecord = AccessRecord(), in file: AccessFile? = nil,
        now: @escaping @Sendable () -> Timestamp
    ) {
        state = Guarded(
            State(entries: kept.sessions.mapValues { Entry(seenAt: $0, keptAt: $0) }))
        host = kept.host
        self.file = file
        self.now = now
    }

    /// Lets a browser in.
    /// - Returns: the session, and the cookie that stands for it.
    func open() -> (session: BrowserSession, cookie: SecureToken) {
        let cookie = SecureToken()
        let session = BrowserSession(cookie: cookie.text)
        let moment = now().milliseconds
        let followers = state.withLock { state in
            Self.forgetIdle(in: &state, at: moment)
            state.entries[session.id.text] = Entry(seenAt: moment)
            guard state.entries.count > Self.limit else { return [@Sendable () -> Void]() }
            let others = state.entries.filter { $0.key != session.id.text }
            // A page that is open is in use.
            let oldest = others.min {
                ($0.value.followers.isEmpty ? 0 : 1, $0.value.seenAt)
                    < ($1.value.followers.isEmpty ? 0 : 1, $1.value.seenAt)
            }
            return oldest.map { Self.remove($0.key, from: &state) } ?? []
        }
        for follower in followers { follower() }
        return (session, cookie)
    }

    /// The browser whose cookie this is; `nil` where it is not let in.
    func session(_ cookie: String) -> BrowserSession? {
        let session = BrowserSession(cookie: cookie)
        let moment = now().milliseconds
        return state.withLock { state in
            Self.forgetIdle(in: &state, at: moment)
            guard state.entries[session.id.text] != nil else { return nil }
            state.entries[session.id.text]?.seenAt = moment
            return session
        }
    }

    /// Whether a browser is still let in.
    func isOpen(_ session: BrowserSession) -> Bool {
        state.withLock { $0.entries[session.id.text] != nil }
    }

    /// Whether the file, and the browser, should be told that a session is in use.
    func isToBeRenewed(_ session: BrowserSession) -> Bool {
        state.withLock { state in
            guard let entry = state.entries[session.id.text] else { return false }
            return entry.keptAt.map { entry.seenAt - $0 >= Self.renewalInterval } ?? true
        }
    }

    /// Forgets a browser, and tells who follows its session.
    func close(_ session: BrowserSession) {
        let followers = state.withLock { Self.remove(session.id.text, from: &$0) }
        for follower in followers { follower() }
    }

    /// Calls `action` when the session ends; at once where it has ended.
    /// - Returns: the number for ``unfollow(_:_:)``.
    func follow(_ session: BrowserSession, _ action: @escaping @Sendable () -> Void) -> Int? {
        let number: Int? = state.withLock { state in
            guard state.entries[session.id.text] != nil else { return nil }
            state.lastNumber += 1
            state.entries[session.id.text]?.followers[state.lastNumber] = action
            return state.lastNumber
        }
        if number == nil { action() }
        return number
    }

    /// Ends what ``follow(_:_:)`` began.
    func unfollow(_ session: BrowserSession, _ number: Int?) {
        guard let number else { return }
        let moment = now().milliseconds
        state.withLock { state in
            state.entries[session.id.text]?.followers[number] = nil
            state.entries[session.id.text]?.seenAt = moment
        }
    }

    /// Writes down who is let in. Returns when it is on the disk.
    /// - Throws: ``KeychainError`` `unsafe`, `system`.
    func keep() async throws(KeychainError) {
        guard let file else {
            _ = record()
            return
        }
        try await blocking { [self] () throws(KeychainError) in
            try writing.withLock { _ throws(KeychainError) in try file.write(record()) }
        }
    }

    /// What the file is to contain.
    private func record() -> AccessRecord {
        let sessions = state.withLock { state in
            state.entries = state.entries.mapValues { entry in
                var entry = entry
                entry.keptAt = entry.seenAt
                return entry
            }
            return state.entries.mapValues(\.seenAt)
        }
        return AccessRecord(host: host, sessions: sessions)
    }

    private static func remove(
        _ id: String, from state: inout State
    ) -> [@Sendable () -> Void] {
        state.entries.removeValue(forKey: id).map { Array($0.followers.values) } ?? []
    }

    /// A browser with an open page is in use, however long ago it asked for something.
    private static func forgetIdle(in state: inout State, at moment: Int) {
        state.entries = state.entries.filter { _, entry in
            !entry.followers.isEmpty || entry.seenAt + idleLimit > moment
        }
    }
}
