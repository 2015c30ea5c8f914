internal import Markup

/// What a browser gets.
struct PageResponse: Sendable {
    /// What it contains.
    enum Content: Sendable {
        /// Nothing.
        case empty
        /// A page.
        case page(HTML)
        /// A file of the program.
        case asset(Asset)
        /// A table of values as CSV, to be saved under a name.
        case table(String, name: String)
        /// The changes of a page, until the browser leaves it.
        case events(EventFeed)
    }

    /// The status of HTTP.
    var status: Int
    /// What it contains.
    var content: Content
    /// Headers beyond those of every response.
    var headers: [(name: String, value: String)] = []

    /// A page.
    static func page(_ page: HTML, status: Int = 200) -> PageResponse {
        PageResponse(
            status: status, content: .page(page), headers: [("cache-control", "no-store")])
    }

    /// A table of values as CSV, to be saved under a name of letters, digits, hyphens and a dot.
    static func table(_ text: String, name: String) -> PageResponse {
        PageResponse(
            status: 200, content: .table(text, name: name),
            headers: [
                ("cache-control", "no-store"),
                ("content-disposition", "attachment; filename=\"\(name)\""),
            ])
    }

    /// Leads to another page, which is read.
    static func redirect(to path: String) -> PageResponse {
        PageResponse(
            status: 303, content: .empty,
            headers: [("location", LocalPath(path).text), ("cache-control", "no-store")])
    }

    /// Which requests that other sites cause have a cookie.
    enum SameSite: String, Sendable {
        /// None of them.
        case strict = "Strict"
        /// Those that open a page in the window.
        case lax = "Lax"
    }

    /// The response with a cookie that scripts cannot read and other sites cannot use.
    func settingCookie(
        _ name: String, _ value: String, secondsToLive: Int? = nil, sameSite: SameSite = .strict,
        usesTLS: Bool
    ) -> PageResponse {
        var response = self
        let life = secondsToLive.map { "; Max-Age=\($0)" } ?? ""
        let secure = usesTLS ? "; Secure" : ""
        response.headers.append(
            (
                "set-cookie",
                "\(name)=\(value); Path=/; HttpOnly; SameSite=\(sameSite.rawValue)\(life)\(secure)"
            ))
        return response
    }
}
