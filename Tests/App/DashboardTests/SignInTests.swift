import DeviceDomain
import MQTTClient
import TestSupport
import Testing

@testable import Dashboard

@Suite(.timeLimit(.minutes(1))) struct SignInTests {
    @Test func tokensAreLongAndDiffer() {
        let tokens = (0..<50).map { _ in SecureToken().text }
        #expect(Set(tokens).count == 50)
        #expect(tokens.allSatisfy { $0.count == 64 })
    }

    @Test func aTokenLetsInOnce() {
        let links = LinkTokens()
        let (first, second) = (links.issue().text, links.issue().text)
        for wrong in ["", String(first.dropLast()), SecureToken().text] {
            #expect(!links.contains(wrong) && !links.use(wrong))
        }
        #expect(links.contains(first) && links.use(first))
        #expect(!links.contains(first) && !links.use(first))
        #expect(links.use(second))
    }

    @Test func theOldestOfManyLinksIsForgotten() {
        let links = LinkTokens()
        let first = links.issue().text
        let others = (0..<LinkTokens.limit).map { _ in links.issue().text }
        #expect(!links.use(first))
        #expect(others.allSatisfy(links.use))
    }

    @Test func whoGuessesWaitsAndNobodyElse() {
        let pace = PasswordPace()
        let now = Timestamp(milliseconds: 1_764_000_000_000)
        let delays = (0..<20).map { _ in pace.delay(of: "10.0.0.9", at: now) }
        #expect(delays.prefix(10).allSatisfy { $0 == .zero })
        #expect(
            delays[10..<15] == [
                .seconds(6), .seconds(12), .seconds(18), .seconds(24), .seconds(30),
            ])
        #expect(delays[15...].allSatisfy { $0 == nil })
        #expect(pace.delay(of: "10.0.0.1", at: now) == .zero)
        let later = now.advanced(by: .seconds(60 + 30))
        #expect(pace.delay(of: "10.0.0.9", at: later) == .zero)
    }

    @Test func theRightPasswordIsJudgedAtOnceWhileAStrangerGuesses() async throws {
        let (clock, moment) = (SleepLog(), Moment())
        let login = Login(try MQTTCredentials(username: "owner", password: "right"))
        let signIn = SignIn(login: login, clock: clock) { moment.now }
        for _ in 0..<12 {
            let attempt = await signIn.judge(username: "owner", password: "x", from: "10.0.0.9")
            #expect(attempt == .wrong)
        }
        #expect(clock.taken == [.seconds(6), .seconds(12)])
        let own = await signIn.judge(username: "owner", password: "right", from: "10.0.0.1")
        #expect(own == .right && clock.taken.count == 2)
        for _ in 0..<10 { _ = await signIn.judge(username: "", password: "", from: "10.0.0.9") }
        let late = await signIn.judge(username: "owner", password: "right", from: "10.0.0.9")
        #expect(late == .tooOften)
    }

    @Test func withoutAPasswordNoneIsRight() async {
        let signIn = SignIn(login: nil) { Timestamp(milliseconds: 0) }
        #expect(await signIn.judge(username: "", password: "", from: "") == .wrong)
    }
}

@Suite struct SessionStoreTests {
    private let moment = Moment()

    private func store(_ record: AccessRecord = AccessRecord(), in file: AccessFile? = nil)
        -> SessionStore
    {
        SessionStore(record, in: file) { [moment] in moment.now }
    }

    @Test func aCookieThatWasSignedOutIsOfNoUse() {
        let sessions = store()
        let (session, cookie) = sessions.open()
        #expect(sessions.session(cookie.text) == session)
        #expect(sessions.session(session.id.text) == nil)
        sessions.close(session)
        #expect(sessions.session(cookie.text) == nil)
        #expect(store().session(cookie.text) == nil)
    }

    @Test func aRestartSignsNobodyOutAndTheFileLetsNobodyIn() async throws {
        let folder = try TemporaryFolder()
        let file = AccessFile(path: "\(folder.path)/dashboard/127.0.0.1:8080")
        let record = try file.record()
        let sessions = store(record, in: file)
        let (session, cookie) = sessions.open()
        let (left, leftCookie) = sessions.open()
        try await sessions.keep()
        let text = try folder.text(of: "dashboard/127.0.0.1:8080")
        #expect(!text.contains(cookie.text) && text.contains(session.id.text))
        // Nothing is done at the end: the process may be killed.
        let again = try file.record()
        #expect(again.host == record.host)
        let next = store(again, in: file)
        #expect(next.session(cookie.text) == session)
        next.close(left)
        try await next.keep()
        #expect(store(try file.record()).session(leftCookie.text) == nil)
    }

    @Test(arguments: [
        "", "something else", "homeport-dashboard 1\n", "homeport-dashboard 1\nhost a.b\n",
        "homeport-dashboard 1\nhost own\nsession 1\n", "homeport-dashboard 2\nhost own\n",
    ])
    func aFileThatIsNotOursIsRefused(text: String) throws {
        let folder = try TemporaryFolder()
        let file = AccessFile(path: try folder.file("own", text))
        #expect(throws: (any Error).self) { try file.record() }
    }

    @Test func aFileThatOthersCanReadIsRefused() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("own", AccessRecord().text, mode: 0o644)
        #expect(throws: (any Error).self) { try AccessFile(path: path).record() }
    }

    @Test func aBrowserThatStaysAwayIsForgotten() {
        let sessions = store()
        let (_, cookie) = sessions.open()
        let (open, openCookie) = sessions.open()
        let number = sessions.follow(open) {}
        moment.advance(SessionStore.idleLimit / 1_000)
        #expect(sessions.session(cookie.text) == nil)
        // A page that stays open is in use.
        #expect(sessions.session(openCookie.text) != nil)
        sessions.unfollow(open, number)
        moment.advance(SessionStore.idleLimit / 1_000 - 1)
        #expect(sessions.session(openCookie.text) != nil)
        moment.advance(SessionStore.idleLimit / 1_000)
        #expect(sessions.session(openCookie.text) == nil)
    }

    @Test func ofTooManyBrowsersTheOneThatWasAwayLongestIsForgotten() {
        let sessions = store()
        let cookies = (0..<SessionStore.limit).map { _ in
            moment.advance(1)
            return sessions.open().cookie.text
        }
        moment.advance(1)
        #expect(sessions.session(cookies[0]) != nil)
        let new = sessions.open().cookie.text
        #expect(sessions.session(cookies[1]) == nil)
        #expect(sessions.session(cookies[0]) != nil && sessions.session(new) != nil)
    }

    @Test func whoFollowsASessionIsToldItsEnd() {
        let sessions = store()
        let session = sessions.open().session
        let calls = CallCount()
        let number = sessions.follow(session) { calls.add() }
        sessions.unfollow(session, number)
        _ = sessions.follow(session) { calls.add() }
        sessions.close(session)
        #expect(calls.value == 1 && !sessions.isOpen(session))
        // It is too late: that is said at once.
        #expect(sessions.follow(session) { calls.add() } == nil)
        #expect(calls.value == 2)
    }
}
