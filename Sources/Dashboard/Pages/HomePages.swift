internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import Homeport

/// The pages of a home: finds the one that is asked for, and keeps open ones up to date.
@MainActor
final class HomePages: PageSource {
    /// A page that browsers of one language may have open.
    private struct LiveKey: Hashable {
        let route: Route
        let language: Language
    }

    let home: Home
    let state: HomeState
    let doctor: DoctorDesk
    let provisioning: ProvisioningDesk
    let calendar: LocalCalendar
    private var livePages: [LiveKey: LivePage] = [:]
    /// What the next page of a browser says about its last form, by the id of its session.
    private var notices: [String: Notice] = [:]

    init(_ home: Home, _ tools: HomeTools, calendar: LocalCalendar = .system) {
        self.home = home
        self.calendar = calendar
        state = HomeState(home)
        doctor = DoctorDesk(tools.doctor)
        provisioning = ProvisioningDesk(home, tools)
    }

    /// Keeps the state of the home up to date, and open pages on time, until the task is cancelled.
    /// - Parameter tick: how often open pages show the time anew.
    func run(tick: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.state.run() }
            group.addTask { await self.doctor.run() }
            group.addTask { await self.provisioning.run() }
            group.addTask { await self.keepTime(tick) }
            await group.next()
            group.cancelAll()
        }
    }

    private func keepTime(_ tick: Duration) async {
        while !Task.isCancelled {
            do { try await Task.sleep(for: tick) } catch { return }
            livePages = livePages.filter { $0.value.isWatched }
            for page in livePages.values { page.invalidate() }
        }
    }

    // MARK: Reading

    func page(_ visit: DashboardSite.Visit) async -> PageResponse {
        guard let route = Route(visit.request.path), let screen = await screen(route, visit) else {
            return missing(visit)
        }
        return show(screen, route, visit)
    }

    func livePage(_ path: String, _ visit: DashboardSite.Visit) async -> LivePage? {
        guard let route = Route(path), let screen = await screen(route, visit),
            Self.changes(route)
        else { return nil }
        return livePage(screen, route, visit)
    }

    /// Whether a page changes by itself.
    private static func changes(_ route: Route) -> Bool {
        switch route {
        case .home, .device, .plan, .command, .energy, .queue, .provisioning, .channels: true
        case .schedules, .settings: false
        }
    }

    private func livePage(
        _ screen: any Screen, _ route: Route, _ visit: DashboardSite.Visit
    ) -> LivePage {
        let key = LiveKey(route: route, language: visit.preferences.language)
        if let page = livePages[key], page.isWatched { return page }
        let (state, texts) = (state, visit.texts)
        let page = LivePage {
            let content = screen.live()
            return LiveContent(
                parts: [LivePart(Self.linkPart) { LinkWords(texts: texts).all(state) }]
                    + content.parts, shape: content.shape)
        }
        livePages[key] = page
        return page
    }

    /// The page of a route as it is now; `nil` where there is none.
    private func screen(_ route: Route, _ visit: DashboardSite.Visit) async -> (any Screen)? {
        let texts = visit.texts
        switch route {
        case .home: return HomeScreen(state: state, texts: texts)
        case .device(let id):
            await state.readCommands(of: id)
            return state.devices[id].map { DeviceScreen(device: $0, texts: texts) }
        case .plan(let id): return state.devices[id].map { PlanScreen(device: $0, texts: texts) }
        case .command(let id):
            guard let explanation = try? await home.explain(id) else { return nil }
            await state.readCommands(of: explanation.record.intent.device)
            return CommandScreen(state: state, explanation: explanation, texts: texts)
        case .energy: return EnergyScreen(state: state, texts: texts)
        case .queue:
            await state.readOpenCommands()
            return QueueScreen(state: state, texts: texts)
        case .schedules: return await schedulesScreen(visit)
        case .provisioning: return ProvisioningScreen(desk: provisioning, texts: texts)
        case .channels: return ChannelsScreen(state: state, doctor: doctor, texts: texts)
        case .settings: return SettingsScreen(preferences: visit.preferences, texts: texts)
        }
    }

    /// The part of the bar that says whether the links of the home work.
    private static let linkPart = "home-link"

    // MARK: Showing

    /// A page with a status of HTTP.
    func show(
        _ screen: any Screen, _ route: Route, _ visit: DashboardSite.Visit, status: Int = 200
    ) -> PageResponse {
        let content = livePage(screen, route, visit).current()
        let mark = Self.changes(route) && status == 200 ? content.mark : nil
        let form = FormSeal(token: visit.session.formToken.text)
        let notice = notices.removeValue(forKey: visit.session.id.text)
        let parts = LiveParts(content)
        var frame = frame(visit, route, mark)
        frame.link = .joined([
            parts(Self.linkPart, "div", .class("link"), .init("role", "status")), liveLink(visit),
        ])
        let page = frame.page(title: screen.title) {
            notice?.html
            screen.content(parts, form)
            form.shared
        }
        return .page(page, status: status)
    }

    /// What the script says where the page cannot hear of changes.
    private func liveLink(_ visit: DashboardSite.Visit) -> HTML {
        element(
            "span", .id("live-link"), .class("small muted"), .init("role", "status"),
            .init("data-on", ""), .init("data-off", visit.texts[.liveOff])
        ) {}
    }

    /// Says something on the next page of a browser.
    func say(_ notice: Notice, to visit: DashboardSite.Visit) {
        if notices.count >= SessionStore.limit { notices.removeAll() }
        notices[visit.session.id.text] = notice
    }

    func missing(_ visit: DashboardSite.Visit) -> PageResponse {
        let page = ErrorPage(
            frame: frame(visit, nil, nil), title: .notFoundTitle,
            text: visit.texts[.notFoundText])
        return .page(page.render(), status: 404)
    }

    private func frame(
        _ visit: DashboardSite.Visit, _ route: Route?, _ mark: String?
    ) -> PageFrame {
        let texts = visit.texts
        let entries: [(Phrase, Icon, Route)] = [
            (.home, .home, .home), (.energy, .energy, .energy), (.queue, .queue, .queue),
            (.schedules, .schedule, .schedules), (.addDevice, .add, .provisioning),
            (.channels, .channels, .channels), (.settings, .settings, .settings),
        ]
        return PageFrame(
            texts: texts, theme: visit.preferences.theme, home: home.id.text,
            entries: entries.map {
                PageFrame.Entry(name: texts[$0.0], icon: $0.1, path: $0.2.path)
            },
            path: route?.path ?? "", liveMark: mark)
    }
}
