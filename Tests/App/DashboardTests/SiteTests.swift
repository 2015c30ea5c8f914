import DeviceControlPresentation
import DeviceDomain
import MQTTClient
import Markup
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
    private let signIn = SignIn(login: nil) { Timestamp(milliseconds: 0) }
    private let site: DashboardSite

    init() {
        site = DashboardSite(home: "home-1", signIn: signIn, usesTLS: false, pages: pages)
        site.listen(
            for: RequestGuard(
                hosts: ["127.0.0.1"], allowsNumericHosts: false, port: 8080, usesTLS: false))
    }

    private func request(
        _ path: String, _ method: PageRequest.Method = .get, query: String = "",
        form: String = "", host: String = "127.0.0.1:8080", site: String? = nil,
        cookies: [String: String] = [:]
    ) -> PageRequest {
        PageRequest(
            method: method, path: path, query: FormValues(query), form: FormValues(form),
            host: host, origin: method == .post ? "http://\(host)" : nil, fetchSite: site,
            fetchMode: site.map { _ in "navigate" }, cookies: cookies)
    }

    private func token() -> String { "token=\(signIn.links.issue().text)" }

    private func enter() async throws -> (cookies: [String: String], formToken: String) {
        let answer = await site.respond(
            to: request("/", query: token()))
        let header = try #require(answer.headers.first { $0.name == "set-cookie" }).value
        #expect(header.contains("HttpOnly; SameSite=Strict") && header.contains("Path=/;"))
        let pair = try #require(header.split(separator: ";").first).split(separator: "=")
        let cookies = [String(pair[0]): String(pair[1])]
        let session = try #require(signIn.sessions.session(String(pair[1])))
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
        let answer = await site.respond(to: request("/", query: token()))
        #expect(answer.status == 303)
        #expect(answer.headers.first { $0.name == "location" }?.value == "/")
        let entry = try await enter()
        #expect(await site.respond(to: request("/", cookies: entry.cookies)).status == 200)
    }

    @Test func aLinkLetsOneBrowserInAndNeverLocksOut() async throws {
        let link = token()
        for _ in 0..<1_000 {
            #expect(await site.respond(to: request("/", query: "token=wrong")).status == 401)
        }
        let answer = await site.respond(to: request("/", query: link))
        #expect(answer.status == 303)
        #expect(await site.respond(to: request("/", query: link)).status == 401)
        // Who is in gets the page by an old link, too.
        let entry = try await enter()
        let again = await site.respond(to: request("/", query: link, cookies: entry.cookies))
        #expect(again.status == 303)
        #expect(!again.headers.contains { $0.name == "set-cookie" })
        // And uses a new one up, so that nobody who reads it later gets in.
        let next = token()
        #expect(
            await site.respond(to: request("/", query: next, cookies: entry.cookies)).status == 303)
        #expect(await site.respond(to: request("/", query: next)).status == 401)
    }

    /// Who shares an address with a guesser of passwords, such as behind a router, gets in by a link.
    @Test func aLinkIsTakenAtOnceFromWhereOthersGuessPasswords() async throws {
        let (clock, moment) = (SleepLog(), Moment())
        let login = Login(try MQTTCredentials(username: "owner", password: "right"))
        let signIn = SignIn(login: login, clock: clock) { moment.now }
        let site = DashboardSite(home: "home-1", signIn: signIn, usesTLS: false, pages: pages)
        site.listen(
            for: RequestGuard(
                hosts: ["127.0.0.1"], allowsNumericHosts: false, port: 8080, usesTLS: false))
        let guess = request("/sign-in", .post, form: "username=owner&password=x")
        var last = 0
        while last != 429 { last = await site.respond(to: guess).status }
        let taken = clock.taken
        let link = "token=\(signIn.links.issue().text)"
        #expect(await site.respond(to: request("/", query: link)).status == 303)
        let form = "token=\(signIn.links.issue().text)"
        #expect(await site.respond(to: request("/sign-in", .post, form: form)).status == 303)
        #expect(clock.taken == taken)
    }

    @Test func lookingAtTheHeadersUsesNoLink() async {
        let link = token()
        let head = await site.respond(to: request("/", .head, query: link))
        #expect(head.status == 401 && !head.headers.contains { $0.name == "set-cookie" })
        #expect(await site.respond(to: request("/", query: link)).status == 303)
    }

    @Test(arguments: ["cross-site", "same-site"])
    func aPageElsewhereLeadsNobodyIn(by source: String) async {
        let link = token()
        #expect(await site.respond(to: request("/", query: link, site: source)).status == 403)
        #expect(await site.respond(to: request("/", query: link, site: "none")).status == 303)
    }

    @Test func aBrowserIsLedToTheOwnHostAndAProgramIsNot() async throws {
        site.listen(
            for: RequestGuard(
                hosts: ["127.0.0.1", "own.localhost"], allowsNumericHosts: false, port: 8080,
                usesTLS: false), ownHost: "own.localhost:8080")
        let link = token()
        let wrong = await site.respond(to: request("/", query: "token=wrong", site: "none"))
        #expect(wrong.status == 401 && !text(wrong).contains("own.localhost"))
        let handover = await site.respond(to: request("/", query: link, site: "none"))
        #expect(handover.status == 200 && !handover.headers.contains { $0.name == "set-cookie" })
        #expect(text(handover).contains("href=\"http://own.localhost:8080/?\(link)\""))
        let entered = await site.respond(
            to: request("/", query: link, host: "own.localhost:8080", site: "cross-site"))
        let cookie = try #require(entered.headers.first { $0.name == "set-cookie" }).value
        #expect(entered.status == 303 && cookie.contains("HttpOnly; SameSite=Lax"))
        // A program has no other ports that could get its cookie.
        let program = await site.respond(to: request("/", query: token()))
        #expect(program.status == 303 && program.headers.contains { $0.name == "set-cookie" })
    }

    @Test func thePageToSignInLeadsToTheOwnHostFromElsewhereAlone() async {
        site.listen(
            for: RequestGuard(
                hosts: ["127.0.0.1", "own.localhost"], allowsNumericHosts: false, port: 8080,
                usesTLS: false), ownHost: "own.localhost:8080")
        let shared = await site.respond(to: request("/", site: "none"))
        #expect(text(shared).contains(Asset.entrance.path))
        #expect(!text(shared).contains("own.localhost"))
        let own = await site.respond(to: request("/", host: "own.localhost:8080", site: "none"))
        #expect(own.status == 401 && !text(own).contains(Asset.entrance.path))
    }

    private func text(_ response: PageResponse) -> String {
        guard case .page(let page) = response.content else { return "" }
        return page.markup
    }

    @Test func aCookieInUseIsRenewedADayLater() async throws {
        let moment = Moment()
        let signIn = SignIn(login: nil) { moment.now }
        let site = DashboardSite(home: "home-1", signIn: signIn, usesTLS: false, pages: pages)
        site.listen(
            for: RequestGuard(
                hosts: ["127.0.0.1"], allowsNumericHosts: false, port: 8080, usesTLS: false))
        let cookies = ["homeport-8080": signIn.sessions.open().cookie.text]
        let life = "Max-Age=\(SessionStore.idleLimit / 1_000)"
        for (seconds, isRenewed) in [(0, true), (60, false), (86_400, true), (60, false)] {
            moment.advance(seconds)
            let answer = await site.respond(to: request("/", cookies: cookies))
            #expect(answer.headers.contains { $0.value.contains(life) } == isRenewed)
        }
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
