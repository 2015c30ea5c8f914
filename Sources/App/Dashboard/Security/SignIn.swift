internal import DeviceDomain
internal import Keychain

/// Lets browsers in: by the token of a printed link, by user name and password where they are set, and from
/// then on by their cookie.
struct SignIn: Sendable {
    /// How an attempt to come in ended.
    enum Attempt: Sendable {
        /// The secret is right.
        case right
        /// Token, user name or password is wrong.
        case wrong
        /// Too many attempts from that address wait already.
        case tooOften
    }

    /// The tokens of links that can still be used.
    let links = LinkTokens()
    /// The user name and password; `nil` where only a link lets in.
    let login: Login?
    /// The browsers that are in.
    let sessions: SessionStore
    private let pace = PasswordPace()
    private let now: @Sendable () -> Timestamp
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - sessions: the browsers that are in; `nil` for none.
    ///   - clock: delays who guesses passwords.
    init(
        login: Login?, sessions: SessionStore? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.login = login
        self.sessions = sessions ?? SessionStore(now: now)
        self.clock = clock
        self.now = now
    }

    /// Judges a user name and password, after a delay where the address has sent many.
    func judge(username: String, password: String, from address: String) async -> Attempt {
        guard let login else { return .wrong }
        guard let delay = pace.delay(of: address, at: now()) else { return .tooOften }
        if delay > .zero {
            // A server that ends judges nothing more.
            do { try await clock.sleep(for: delay) } catch { return .tooOften }
        }
        guard login.accepts(username: username, password: password) else { return .wrong }
        pace.succeed(from: address)
        return .right
    }
}
