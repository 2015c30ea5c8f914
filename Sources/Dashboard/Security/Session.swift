internal import Locking

/// A browser that has shown the token or the password.
struct Session: Sendable {
    /// What its cookie contains.
    let id: SecureToken
    /// What its forms contain, so that no other site can send one in its name.
    let formToken: SecureToken
}

/// The browsers that may use the dashboard. They are forgotten when the process ends, so that a cookie
/// of an earlier run is of no use.
final class SessionStore: Sendable {
    /// How many browsers are remembered; the oldest one is forgotten first.
    static let limit = 64

    private let sessions = Guarded<[Session]>([])

    /// Lets a browser in.
    func open() -> Session {
        let session = Session(id: SecureToken(), formToken: SecureToken())
        sessions.withLock { sessions in
            sessions.append(session)
            if sessions.count > Self.limit { sessions.removeFirst() }
        }
        return session
    }

    /// The browser whose cookie this is; `nil` where it was not let in.
    func session(_ cookie: String) -> Session? {
        // Every entry is compared, so that the time says nothing about which one matches.
        sessions.withLock { sessions in
            var found: Session?
            for session in sessions where session.id.isEqual(to: cookie) { found = session }
            return found
        }
    }

    /// Forgets a browser.
    func close(_ session: Session) {
        sessions.withLock { sessions in
            sessions.removeAll { $0.id.isEqual(to: session.id.text) }
        }
    }
}
