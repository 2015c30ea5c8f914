import AppCoordination
import DeviceControl
import DeviceControlPresentation
import DeviceDomain
import Markup
import SharedPresentation
import Testing

@testable import Dashboard

/// The pages of a home that does not exist, and browsers that visit them.
@MainActor
struct Browsers {
    let home: FakeHome
    let memory: HomeMemory
    let provisioning: FakeProvisioning
    let fleet: FakeFleet
    let pages: HomePages
    private let sessions = SessionStore { Timestamp(milliseconds: 0) }

    static func run(
        hasProvisioning: Bool = true, hasSimulation: Bool = true,
        _ body: (Browsers) async throws -> Void
    ) async throws {
        let browsers = try Browsers(hasProvisioning, hasSimulation)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await browsers.pages.app.run() }
            defer { group.cancelAll() }
            try await body(browsers)
        }
    }

    private init(_ hasProvisioning: Bool, _ hasSimulation: Bool) throws {
        home = try FakeHome()
        memory = HomeMemory(home)
        provisioning = FakeProvisioning()
        fleet = FakeFleet()
        var parts = [
            AppPart.deviceControl(
                DeviceControlServices(
                    memory: memory, doctor: FakeDoctor(), settings: FakeSettings(),
                    clock: MachineClock(), calendar: LocalCalendar { _ in 0 }))
        ]
        if hasProvisioning { parts.append(.provisioning(provisioning)) }
        if hasSimulation { parts.append(.simulation(fleet, of: memory)) }
        pages = HomePages(AppCoordinator(parts), of: home.id)
    }

    /// Somebody with a cookie.
    func browser() -> Browser { Browser(pages: pages, session: sessions.open().session) }
}

/// One browser.
@MainActor
struct Browser {
    let pages: HomePages
    let session: BrowserSession

    private func visit(_ request: PageRequest) -> DashboardSite.Visit {
        let settings = BrowserSettings(request).load()
        return DashboardSite.Visit(
            request: request, session: session, settings: settings,
            texts: Texts(
                settings.language ?? .english, units: settings.units,
                calendar: LocalCalendar { _ in 0 }))
    }

    /// Reads a page.
    func read(
        _ path: String, query: String = "", cookies: [String: String] = [:]
    ) async -> (status: Int, text: String) {
        text(await response(path, query: query, cookies: cookies))
    }

    /// What the request for a page is answered with; its path may carry the query.
    func response(
        _ path: String, query: String = "", cookies: [String: String] = [:]
    ) async -> PageResponse {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let request = PageRequest(
            method: .get, path: parts[0], query: FormValues(parts.dropFirst().first ?? query),
            cookies: cookies)
        return await pages.page(visit(request))
    }

    /// Sends a form.
    /// - Returns: where it leads; the page itself where it leads nowhere.
    func send(
        _ path: String, _ form: String = "", query: String = ""
    ) async -> (leadsTo: String?, text: String) {
        let request = PageRequest(
            method: .post, path: path, query: FormValues(query), form: FormValues(form))
        let response = await pages.act(visit(request))
        let location = response.headers.first { $0.name == "location" }?.value
        return (location, text(response).text)
    }

    private func text(_ response: PageResponse) -> (status: Int, text: String) {
        guard case .page(let page) = response.content else { return (response.status, "") }
        return (response.status, page.markup)
    }
}
