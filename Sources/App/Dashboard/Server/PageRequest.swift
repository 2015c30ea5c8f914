/// What a browser asks for.
struct PageRequest: Sendable {
    /// What it wants to do.
    enum Method: Hashable, Sendable {
        /// Read.
        case get
        /// Read the headers.
        case head
        /// Change something.
        case post

        /// Whether it may change something.
        var changes: Bool { self == .post }
    }

    /// What it wants to do.
    var method: Method
    /// The path, without the query.
    var path: String
    /// The values in the query.
    var query = FormValues()
    /// The values of the form that was sent.
    var form = FormValues()
    /// The header `Host`; `nil` where there are two.
    var host: String?
    /// The header `Origin`.
    var origin: String?
    /// The header `Sec-Fetch-Site`.
    var fetchSite: String?
    /// The header `Sec-Fetch-Mode`.
    var fetchMode: String?
    /// The machine that it comes from.
    var peer = ""
    /// The header `Accept-Language`.
    var acceptLanguage: String?
    /// The header `Last-Event-ID`.
    var lastEventID: String?
    /// The cookies by name.
    var cookies: [String: String] = [:]

    /// Whether a browser opens a page with it. A browser of the last years says so; a program does not.
    var isNavigation: Bool { fetchMode == "navigate" }

    /// Reads a header `Cookie`. Of two with one name the first one counts.
    static func cookies(_ header: String) -> [String: String] {
        var cookies: [String: String] = [:]
        for part in header.split(separator: ";") {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, cookies[String(pair[0])] == nil else { continue }
            cookies[String(pair[0])] = String(pair[1])
        }
        return cookies
    }
}
