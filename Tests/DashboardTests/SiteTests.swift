import DeviceControlPresentation
import DeviceDomain
import Testing

@testable import Dashboard

@Suite @MainActor
struct SiteTests {
    /// Pages that say what they were asked.
    final class Pages: PageSource {
        var actions: [String] = []
        let live = LivePage { LiveContent() }

        func page(_ visit: DashboardSite.Visit) async -> PageResponse {
            .page(
                element(
                    "p", text: "\(visit.request.path) \(visit.texts.language) \(visit.texts.units)")
            )
        }

        func act(_ visit: DashboardSite.Visit) async -> PageResponse {
            actions.append(visit.request.path)
            return .redirect(to: "/")
        }

        func livePage(_ path: String, _ visit: DashboardSite.Visit) async -> LivePage? {
            path == "/" ? live : nil
        }
    }

    private let pages = Pages()
    private let gate = Gate(login: nil) { Timestamp(milliseconds: 0) }
    private let site: DashboardSite

    init() {
        site = DashboardSite(home: "home-1", gate: gate, usesTLS: false, pages: pages)
        site.listen(
            for: RequestGuard(
                hosts: ["127.0.0.1"], allowsNumericHosts: false, port: 8080, usesTLS: false))
    }

    private func request(
        _ path: String, _ method: PageRequest.Method = .get, query: String = "",
        form: String = "", cookies: [String: String] = [:]
    ) -> PageRequest {
        PageRequest(
            method: method, path: path, query: FormValues(query), form: FormValues(form),
            host: "127.0.0.1:8080", origin: method == .post ? "http://127.0.0.1:8080" : nil,
            cookies: cookies)
    }

    private func enter() async throws -> (cookies: [String: String], formToken: String) {
        let answer = await site.respond(
            to: request("/", query: "token=\(gate.token.text)"))
        let header = try #require(answer.headers.first { $0.name == "set-cookie" }).value
        #expect(header.contains("HttpOnly; SameSite=Strict") && header.contains("Path=/;"))
        let pair = try #require(header.split(separator: ";").first).split(separator: "=")
        let cookies = [String(pair[0]): String(pair[1])]
        let session = try #require(gate.sessions.session(String(pair[1])))
        return (cookies, session.formToken.text)
    }

    @Test func withoutACookieThereIsOnlyTheWayIn() async {
        for path in ["/", "/devices/sweeper-1", "/events", "/nothing"] {
            #expect(await site.respond(to: request(path)).status == 401)
            let stale = ["homeport-8080": SecureToken().text]
            #expect(await site.respond(to: request(path, cookies: stale)).status == 401)
        }
        #expect(await site.respond(to: request("/devices", .post)).status == 401)
        #expect(pages.actions.isEmpty)
    }

    @Test func theTokenIsExchangedForACookieAndLeavesTheAddress() async throws {
        let answer = await site.respond(to: request("/", query: "token=\(gate.token.text)"))
        #expect(answer.status == 303)
        #expect(answer.headers.first { $0.name == "location" }?.value == "/")
        let entry = try await enter()
        #expect(await site.respond(to: request("/", cookies: entry.cookies)).status == 200)
    }

    @Test func aFormWithoutItsTokenDoesNothing() async throws {
        let entry = try await enter()
        for form in ["", "form-token=", "form-token=\(SecureToken().text)"] {
            let answer = await site.respond(
                to: request("/act", .post, form: form, cookies: entry.cookies))
            #expect(answer.status == 403)
        }
        #expect(pages.actions.isEmpty)
        let answer = await site.respond(
            to: request(
                "/act", .post, form: "form-token=\(entry.formToken)", cookies: entry.cookies))
        #expect(answer.status == 303)
        #expect(pages.actions == ["/act"])
    }

    @Test func readingChangesNothing() async throws {
        let entry = try await enter()
        for path in ["/act", "/sign-out", "/settings"] {
            let form = "form-token=\(entry.formToken)"
            _ = await site.respond(
                to: request(path, query: form, form: form, cookies: entry.cookies))
        }
        #expect(pages.actions.isEmpty)
        #expect(await site.respond(to: request("/", cookies: entry.cookies)).status == 200)
    }

    @Test func signingOutEndsTheCookie() async throws {
        let entry = try await enter()
        _ = await site.respond(
            to: request(
                "/sign-out", .post, form: "form-token=\(entry.formToken)", cookies: entry.cookies))
        #expect(await site.respond(to: request("/", cookies: entry.cookies)).status == 401)
    }

    @Test func languageThemeAndUnitsAreRememberedByTheBrowser() async throws {
        let entry = try await enter()
        let answer = await site.respond(
            to: request(
                "/settings", .post,
                form: "form-token=\(entry.formToken)&language=zh-Hans&theme=dark&units=imperial"
                    + "&x=%0d%0aset-cookie:a",
                cookies: entry.cookies))
        let headers = answer.headers.filter { $0.name == "set-cookie" }.map(\.value)
        #expect(headers.count == 3 && headers.allSatisfy { $0.contains("Max-Age=31536000") })
        let kept = headers.compactMap { $0.split(separator: ";").first?.split(separator: "=") }
            .map { (String($0[0]), String($0[1])) }
        var chinese = request("/", cookies: entry.cookies.merging(kept) { $1 })
        chinese.acceptLanguage = "en"
        guard case .page(let page) = await site.respond(to: chinese).content else { return }
        #expect(page.markup.contains("chinese imperial"))
        #expect(BrowserSettings(chinese).load().appearance == .dark)
    }

    @Test func whatABrowserDoesNotChooseStaysAsItWas() async throws {
        let entry = try await enter()
        let answer = await site.respond(
            to: request(
                "/settings", .post,
                form: "form-token=\(entry.formToken)&units=furlongs&theme=light",
                cookies: entry.cookies.merging(["homeport-units": "imperial"]) { $1 }))
        let headers = answer.headers.filter { $0.name == "set-cookie" }.map(\.value)
        #expect(headers.contains { $0.hasPrefix("homeport-units=imperial;") })
        #expect(headers.contains { $0.hasPrefix("homeport-theme=light;") })
        #expect(!headers.contains { $0.hasPrefix("homeport-language") })
    }

    @Test func onlyPagesThatChangeHaveEvents() async throws {
        let entry = try await enter()
        let live = await site.respond(
            to: request("/events", query: "page=/", cookies: entry.cookies))
        guard case .events = live.content else {
            Issue.record("no events for a page that changes")
            return
        }
        let still = await site.respond(
            to: request("/events", query: "page=/settings", cookies: entry.cookies))
        #expect(still.status == 204)
    }

    @Test func filesAreForEverybodyAndKept() async {
        for asset in Asset.all {
            let answer = await site.respond(to: request(asset.path))
            #expect(answer.status == 200)
            #expect(answer.headers.contains { $0.value.contains("immutable") })
        }
    }
}
