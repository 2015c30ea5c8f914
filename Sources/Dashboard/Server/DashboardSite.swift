internal import DeviceControl
internal import DeviceControlPresentation
internal import SharedPresentation

/// Answers every request: it refuses those of other sites, lets browsers in, and leads the others to their
/// pages.
@MainActor
final class DashboardSite {
    /// What one request is answered with.
    struct Visit {
        let request: PageRequest
        let session: Session
        let settings: AppSettings
        let texts: Texts
    }

    let gate: Gate
    let home: String
    private let usesTLS: Bool
    private let calendar: LocalCalendar
    private let pages: any PageSource
    private let clock: any Clock<Duration>
    /// Refuses what other sites send; `nil` before the port is known.
    private var requestGuard: RequestGuard?

    init(
        home: String, gate: Gate, usesTLS: Bool, pages: any PageSource,
        calendar: LocalCalendar = .system, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.home = home
        self.gate = gate
        self.usesTLS = usesTLS
        self.pages = pages
        self.calendar = calendar
        self.clock = clock
    }

    /// The server listens: from now on requests for its address are answered.
    func listen(for requestGuard: RequestGuard) { self.requestGuard = requestGuard }

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
        if let token = request.query["token"], !request.method.changes {
            return enter(gate.open(token: token), frame)
        }
        guard let session = request.cookies[cookie].flatMap(gate.sessions.session) else {
            return signIn(request, frame)
        }
        return await answer(
            Visit(request: request, session: session, settings: settings, texts: texts), frame
        )
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

    private func signIn(_ request: PageRequest, _ frame: PageFrame) -> PageResponse {
        guard request.path == "/sign-in", request.method.changes else {
            return signInPage(frame, nil)
        }
        if let token = request.form["token"] { return enter(gate.open(token: token), frame) }
        return enter(
            gate.open(
                username: request.form["username"] ?? "", password: request.form["password"] ?? ""),
            frame)
    }

    private func enter(_ attempt: Gate.Attempt, _ frame: PageFrame) -> PageResponse {
        switch attempt {
        case .opened(let session):
            PageResponse.redirect(to: "/")
                .settingCookie(cookie, session.id.text, usesTLS: usesTLS)
        case .wrong: signInPage(frame, .wrong)
        case .tooOften: signInPage(frame, .tooOften)
        }
    }

    private func signInPage(_ frame: PageFrame, _ problem: SignInPage.Problem?) -> PageResponse {
        let page = SignInPage(frame: frame, takesPassword: gate.login != nil, problem: problem)
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
            gate.sessions.close(visit.session)
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
            status: 200, content: .events(EventFeed(page: page, lastMark: mark, clock: clock)))
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

/// Where the pages behind the gate come from.
@MainActor
protocol PageSource: AnyObject {
    /// Reads a page.
    func page(_ visit: DashboardSite.Visit) async -> PageResponse
    /// Does what a form asks for, and leads to the page that shows it.
    func act(_ visit: DashboardSite.Visit) async -> PageResponse
    /// The page of a path as it changes; `nil` where it does not, or there is none.
    func livePage(_ path: String, _ visit: DashboardSite.Visit) async -> LivePage?
}
