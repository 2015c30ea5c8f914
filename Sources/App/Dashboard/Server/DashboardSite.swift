internal import DeviceControl
internal import DeviceControlPresentation
internal import Keychain
internal import SharedPresentation

/// Answers every request: it refuses those of other sites, lets browsers in, and leads the others to their
/// pages.
@MainActor
final class DashboardSite {
    /// What one request is answered with.
    struct Visit {
        let request: PageRequest
        let session: BrowserSession
        let settings: AppSettings
        let texts: Texts
    }

    let signIn: SignIn
    let home: String
    private let usesTLS: Bool
    private let calendar: LocalCalendar
    private let pages: any PageSource
    private let clock: any Clock<Duration>
    /// Is told what the user should know.
    private let report: @Sendable (String) -> Void
    /// Refuses what other sites send; `nil` before the port is known.
    private var requestGuard: RequestGuard?
    /// The host name and port under which browsers use it, and no program on another port is reached; `nil`
    /// where it has none.
    private var ownHost: String?

    init(
        home: String, signIn: SignIn, usesTLS: Bool, pages: any PageSource,
        calendar: LocalCalendar = .system, clock: any Clock<Duration> = ContinuousClock(),
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.home = home
        self.signIn = signIn
        self.usesTLS = usesTLS
        self.pages = pages
        self.report = report
        self.calendar = calendar
        self.clock = clock
    }

    /// The server listens: from now on requests for its address are answered.
    /// - Parameter ownHost: a host name with its port that the guard lets in, too.
    func listen(for requestGuard: RequestGuard, ownHost: String? = nil) {
        self.requestGuard = requestGuard
        self.ownHost = ownHost
    }

    /// The cookies of two servers on one machine must differ: browsers give a cookie to every port.
    private var cookie: String { "homeport-\(requestGuard?.port ?? 0)" }

    /// Answers a request.
    func respond(to request: PageRequest) async -> PageResponse {
        let settings = BrowserSettings(request).load()
        let texts = Texts(
            settings.language ?? Language(accepting: request.acceptLanguage),
            units: settings.units, calendar: calendar)
        let frame = PageFrame(texts: texts, appearance: settings.appearance, home: home)
        do throws(RequestGuard.Refusal) {
            guard let requestGuard else { throw .foreignHost }
            try requestGuard.check(request)
        } catch {
            return refused(frame, texts[.foreignText])
        }
        if let asset = asset(request) { return asset }
        guard let session = session(of: request) else { return await signIn(request, frame) }
        // For a browser that is in any link is the page. One that was still good is used up: a journal keeps it.
        if let token = request.query["token"], request.method == .get {
            _ = signIn.links.use(token)
            return .redirect(to: "/")
        }
        let answer = await answer(
            Visit(request: request, session: session, settings: settings, texts: texts), frame)
        guard signIn.sessions.isToBeRenewed(session) else { return answer }
        await keepSessions()
        guard case .page = answer.content else { return answer }
        return with(request.cookies[cookie] ?? "", answer, request)
    }

    /// Whether a request comes from a browser that is signed in.
    func isVisitor(_ request: PageRequest) -> Bool { session(of: request) != nil }

    private func session(of request: PageRequest) -> BrowserSession? {
        request.cookies[cookie].flatMap(signIn.sessions.session)
    }

    private func refused(_ frame: PageFrame, _ text: String) -> PageResponse {
        .page(ErrorPage(frame: frame, title: .refusedTitle, text: text).render(), status: 403)
    }

    /// Files are the same for everybody, and the page to sign in needs them.
    private func asset(_ request: PageRequest) -> PageResponse? {
        guard !request.method.changes,
            let asset = Asset.all.first(where: { $0.path == request.path })
        else { return nil }
        return PageResponse(
            status: 200, content: .asset(asset),
            headers: [("cache-control", "public, max-age=31536000, immutable")])
    }

    // MARK: The way in

    private func signIn(_ request: PageRequest, _ frame: PageFrame) async -> PageResponse {
        if request.method == .get, let token = request.query["token"] {
            // A page elsewhere must not lead a browser in. One that knows the own host has it from us.
            guard [nil, "none", "same-origin"].contains(request.fetchSite) || isAtOwnHost(request)
            else { return refused(frame, frame.texts[.foreignText]) }
            return await enter(token, request, frame)
        }
        guard request.path == "/sign-in", request.method.changes else {
            return signInPage(request, frame, nil)
        }
        if let token = request.form["token"] { return await enter(token, request, frame) }
        let attempt = await signIn.judge(
            username: request.form["username"] ?? "", password: request.form["password"] ?? "",
            from: request.peer)
        switch attempt {
        case .right: return await enter(signIn.links.issue().text, request, frame)
        case .wrong: return signInPage(request, frame, .wrong)
        case .tooOften: return signInPage(request, frame, .tooOften)
        }
    }

    /// Lets a browser in by a token. Under an address that other ports share it is led to the own host, which
    /// takes the token.
    private func enter(
        _ token: String, _ request: PageRequest, _ frame: PageFrame
    ) async -> PageResponse {
        if let ownHost, request.isNavigation, !isAtOwnHost(request) {
            guard signIn.links.contains(token) else { return signInPage(request, frame, .wrong) }
            return .page(HandoverPage(frame: frame, host: ownHost, token: token).render())
        }
        guard signIn.links.use(token) else { return signInPage(request, frame, .wrong) }
        let cookie = signIn.sessions.open().cookie
        await keepSessions()
        return with(cookie.text, .redirect(to: "/"), request)
    }

    private func isAtOwnHost(_ request: PageRequest) -> Bool {
        ownHost != nil && request.host?.lowercased() == ownHost
    }

    /// A response that leaves a session's cookie with the browser. On the own host other ports of this
    /// machine are other sites, and a page of theirs leads here: the address without that host.
    private func with(
        _ cookie: String, _ response: PageResponse, _ request: PageRequest
    ) -> PageResponse {
        response.settingCookie(
            self.cookie, cookie, secondsToLive: SessionStore.idleLimit / 1_000,
            sameSite: isAtOwnHost(request) ? .lax : .strict, usesTLS: usesTLS)
    }

    /// A disk that takes nothing does not keep anybody out.
    private func keepSessions() async {
        do { try await signIn.sessions.keep() } catch {
            report(
                "the next start of the dashboard will not know who is signed in now: \(error.message)"
            )
        }
    }

    private func signInPage(
        _ request: PageRequest, _ frame: PageFrame, _ problem: SignInPage.Problem?
    ) -> PageResponse {
        var frame = frame
        if ownHost != nil, !isAtOwnHost(request), !request.method.changes {
            frame.entrance = HandoverPage.follower
        }
        let page = SignInPage(frame: frame, takesPassword: signIn.login != nil, problem: problem)
        return .page(page.render(), status: problem == .tooOften ? 429 : 401)
    }

    // MARK: Inside

    private func answer(_ visit: Visit, _ frame: PageFrame) async -> PageResponse {
        let request = visit.request
        guard request.method.changes else { return await read(visit) }
        guard visit.session.formToken.isEqual(to: request.form[Self.formToken] ?? "") else {
            return refused(frame, visit.texts[.expiredFormText])
        }
        switch request.path {
        case "/sign-out":
            signIn.sessions.close(visit.session)
            await keepSessions()
            return .redirect(to: "/").settingCookie(cookie, "", secondsToLive: 0, usesTLS: usesTLS)
        case "/settings": return choose(request)
        default: return await pages.act(visit)
        }
    }

    private func read(_ visit: Visit) async -> PageResponse {
        let request = visit.request
        guard request.path == "/events" else { return await pages.page(visit) }
        guard let page = await pages.livePage(request.query["page"] ?? "/", visit) else {
            // 204 tells a browser not to connect again.
            return PageResponse(status: 204, content: .empty)
        }
        let mark = request.lastEventID ?? request.query["seen"] ?? ""
        return PageResponse(
            status: 200,
            content: .events(
                EventFeed(
                    page: page, lastMark: mark, session: visit.session, sessions: signIn.sessions,
                    clock: clock)))
    }

    /// The name of the field that proves that a form is one of ours.
    nonisolated static let formToken = "form-token"

    private func choose(_ request: PageRequest) -> PageResponse {
        let (form, browser) = (request.form, BrowserSettings(request))
        let model = SettingsViewModel(browser)
        form["language"].flatMap(Language.init(rawValue:)).map(model.languageChosen)
        form["theme"].flatMap(AppSettings.Appearance.init(rawValue:)).map(model.appearanceChosen)
        form["units"].flatMap(UnitSystem.init(rawValue:)).map(model.unitsChosen)
        return browser.kept(by: .redirect(to: "/settings"), usesTLS: usesTLS)
    }
}

/// Where the pages behind the sign-in come from.
@MainActor
protocol PageSource: AnyObject, Sendable {
    /// Reads a page.
    func page(_ visit: DashboardSite.Visit) async -> PageResponse
    /// Does what a form asks for, and leads to the page that shows it.
    func act(_ visit: DashboardSite.Visit) async -> PageResponse
    /// The page of a path as it changes; `nil` where it does not, or there is none.
    func livePage(_ path: String, _ visit: DashboardSite.Visit) async -> LivePage?
}
