internal import AppCoordination
internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import ProvisioningPresentation
internal import SharedPresentation
internal import SimulationPresentation

/// The pages of a home: shows the view model of the place that is asked for, and keeps open pages up to
/// date.
@MainActor
final class HomePages: PageSource {
    /// A page that browsers with the same language and units may have open.
    struct LiveKey: Hashable {
        let route: Route
        let language: Language
        let units: UnitSystem
        /// The browser, for a page that shows it what it has entered itself; empty for the others.
        let session: String
    }

    let app: AppCoordinator
    private let home: HomeID
    var livePages: [LiveKey: LivePage] = [:]
    /// What the next page of a browser says about its last form, by the id of its session.
    private var notices: [String: Notice] = [:]
    /// The browser that entered what the wizard knows; `nil` for none.
    private(set) var wizardOwner: String?

    init(_ app: AppCoordinator, of home: HomeID) {
        self.app = app
        self.home = home
    }

    // MARK: Reading

    func page(_ visit: DashboardSite.Visit) async -> PageResponse {
        let route = app.place(at: visit.request.path)
        if visit.request.path == EnergyQuery.file { return await energyFile(visit) }
        // The plan stands at the beginning of the robot's page.
        if case .plan(let id) = route { return .redirect(to: "\(Route.device(id).path)#floor") }
        guard let screen = await screen(route, visit) else { return missing(visit) }
        return show(screen, route, visit)
    }

    func livePage(_ path: String, _ visit: DashboardSite.Visit) async -> LivePage? {
        let route = app.place(at: path)
        guard Self.changes(route), let screen = await screen(route, visit) else { return nil }
        return livePage(screen, route, visit)
    }

    /// Whether a page changes by itself.
    private static func changes(_ route: Route) -> Bool {
        switch route {
        case .home, .rooms, .device, .command, .energy, .queue, .provisioning, .channels: true
        case .plan, .history, .events, .schedules, .rules, .settings, .notFound: false
        }
    }

    private func livePage(
        _ screen: any Screen, _ route: Route, _ visit: DashboardSite.Visit
    ) -> LivePage {
        let key = LiveKey(
            route: route, language: visit.texts.language, units: visit.texts.units,
            session: route == .provisioning ? visit.session.id.text : "")
        if let page = livePages[key], page.isWatched { return page }
        let (control, texts) = (app.deviceControl, visit.texts)
        let links = LinkText(texts: texts)
        let page = LivePage {
            let content = screen.live()
            let link = LivePart(Self.linkPart) { control.map { links.worst($0.channels.state) } }
            let told = LivePart(Self.toldPart) { control.map { Self.told($0.home.told, texts) } }
            return LiveContent(parts: [link, told] + content.parts, shape: content.shape)
        } readAgain: {
            await screen.readAgain()
        }
        livePages[key] = page
        return page
    }

    /// The page of a place as it is now; `nil` where there is nothing.
    private func screen(_ route: Route, _ visit: DashboardSite.Visit) async -> (any Screen)? {
        let texts = visit.texts
        if case .provisioning = route {
            let session = visit.session.id.text
            return app.provisioning.map { provisioning in
                ProvisioningScreen(wizard: provisioning.wizard, texts: texts) { [weak self] in
                    self?.wizardOwner == session
                }
            }
        }
        guard let control = app.deviceControl else { return nil }
        switch route {
        case .home:
            await control.home.appeared()
            return HomeScreen(model: control.home, texts: texts)
        case .rooms:
            await control.rooms.appeared()
            return RoomsScreen(model: control.rooms, texts: texts)
        case .device(let id):
            let simulation = app.simulation?.device(id)
            await simulation?.appeared()
            return await device(id, control).map {
                DeviceScreen(
                    model: $0, simulation: simulation, texts: texts,
                    opened: visit.request.query["open"].map(CommandName.init))
            }
        case .command(let id): return await command(control.command(id), texts)
        case .energy:
            let time = EnergyQuery(visit.request.query)
            return EnergyScreen(
                model: control.energy, texts: texts, range: time.range,
                report: await report(control.energy, over: time))
        case .history, .events:
            return await history(control.history, of: route, visit)
        case .queue:
            await control.queue.appeared()
            return QueueScreen(model: control.queue, texts: texts)
        case .schedules: return await schedules(control.separate().schedules, visit)
        case .rules: return await rules(control.separate().rules, visit)
        case .channels: return ChannelsScreen(model: control.channels, texts: texts)
        case .settings: return SettingsScreen(settings: visit.settings, texts: texts)
        case .plan, .provisioning, .notFound: return nil
        }
    }

    /// The part of the bar that says whether the links of the home work.
    private static let linkPart = "home-link"
    /// The part that nobody sees, from which the script notifies.
    private static let toldPart = "told"

    /// What the script shows as notifications of the browser.
    private static func told(_ notices: [ToldNotice], _ texts: Texts) -> HTML {
        .joined(
            notices.map { notice in
                element("p", .init("data-at", "\(notice.at.milliseconds)")) {
                    texts.told(notice.text, by: notice.rule)
                }
            })
    }

    // MARK: Showing

    /// A page with a status of HTTP; `nil` for the one that the screen has by itself.
    func show(
        _ screen: any Screen, _ route: Route, _ visit: DashboardSite.Visit, status: Int? = nil
    ) -> PageResponse {
        let status = status ?? screen.status
        let content = livePage(screen, route, visit).current()
        let mark = Self.changes(route) && status == 200 ? content.mark : nil
        let form = FormToken(token: visit.session.formToken.text)
        let notice = notices.removeValue(forKey: visit.session.id.text)
        let parts = LiveParts(content)
        var frame = frame(visit, route, mark)
        frame.link = .joined([
            parts(Self.linkPart, "div", .class("link"), .init("role", "status")), liveLink(visit),
        ])
        let page = frame.page(title: screen.title) {
            notice?.flash(dismiss: visit.texts[.dismiss], path: route.path)
            screen.content(parts, form)
            form.shared
            parts(Self.toldPart, "div", .init("hidden"))
        }
        return .page(page, status: status)
    }

    /// What the script says where the page cannot hear of changes.
    private func liveLink(_ visit: DashboardSite.Visit) -> HTML {
        element(
            "span", .id("live-link"), .class("badge bad"), .init("role", "status"),
            .init("data-off", visit.texts[.liveOff]),
            .init("data-moment", visit.texts[.underAMinute]),
            .init("data-minutes", visit.texts[.minutes])
        ) {}
    }

    /// A browser begins to add a device; what another one has entered is forgotten, unless an attempt runs.
    func takeWizard(for visit: DashboardSite.Visit) {
        wizardOwner = visit.session.id.text
        for (key, page) in livePages where key.route == .provisioning { page.invalidate() }
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
            (.home, .home, .home), (.energy, .energy, .energy), (.history, .waiting, .history),
            (.queue, .queue, .queue),
            (.schedules, .schedule, .schedules), (.rules, .rule, .rules),
            (.addDevice, .add, .provisioning),
            (.channels, .channels, .channels), (.settings, .settings, .settings),
        ]
        let offered = app.entries
        return PageFrame(
            texts: texts, appearance: visit.settings.appearance, home: home.text,
            entries: entries.filter { offered.contains($0.2) }.map {
                PageFrame.Entry(name: texts[$0.0], icon: $0.1, path: $0.2.path)
            },
            path: route?.path ?? "", liveMark: mark)
    }
}
