internal import Homeport

/// The pages of a home.
@MainActor
final class HomePages: PageSource {
    private let home: Home
    private let doctor: @Sendable () async -> [Finding]
    private var livePages: [String: LivePage] = [:]

    init(_ home: Home, doctor: @escaping @Sendable () async -> [Finding]) {
        self.home = home
        self.doctor = doctor
    }

    /// Keeps the models up to date, and open pages on time, until the task is cancelled.
    func run(tick: Duration) async {
        while !Task.isCancelled {
            do { try await Task.sleep(for: tick) } catch { return }
            livePages = livePages.filter { $0.value.isWatched }
            for page in livePages.values { page.invalidate() }
        }
    }

    func page(_ visit: DashboardSite.Visit) async -> PageResponse {
        .page(
            ErrorPage(frame: frame(visit), title: .notFoundTitle, text: visit.texts[.notFoundText])
                .render(), status: 404)
    }

    func act(_ visit: DashboardSite.Visit) async -> PageResponse { await page(visit) }

    func livePage(_ path: String, _ visit: DashboardSite.Visit) async -> LivePage? { nil }

    private func frame(_ visit: DashboardSite.Visit) -> PageFrame {
        PageFrame(texts: visit.texts, theme: visit.preferences.theme, home: home.id.text)
    }
}
