internal import DeviceDomain

/// Lets browsers in: by the token of the printed link, by user name and password where they are set,
/// and from then on by their cookie.
struct Gate: Sendable {
    /// How an attempt to come in ended.
    enum Attempt: Sendable {
        /// The browser is let in.
        case opened(Session)
        /// Token, user name or password is wrong.
        case wrong
        /// There were too many wrong ones.
        case tooOften
    }

    /// The secret in the link; it is good for as long as the process runs.
    let token = SecureToken()
    /// The user name and password; `nil` where only the link lets in.
    let login: Login?
    /// The browsers that are in.
    let sessions = SessionStore()
    private let limit = AttemptLimit()
    private let now: @Sendable () -> Timestamp

    init(login: Login?, now: @escaping @Sendable () -> Timestamp) {
        self.login = login
        self.now = now
    }

    /// A browser shows the token.
    func open(token presented: String) -> Attempt {
        attempt { token.isEqual(to: presented) }
    }

    /// A browser shows a user name and password.
    func open(username: String, password: String) -> Attempt {
        attempt { login?.accepts(username: username, password: password) ?? false }
    }

    private func attempt(_ isRight: () -> Bool) -> Attempt {
        let moment = now()
        guard limit.allows(at: moment) else { return .tooOften }
        guard isRight() else {
            limit.fail(at: moment)
            return .wrong
        }
        return .opened(sessions.open())
    }
}
