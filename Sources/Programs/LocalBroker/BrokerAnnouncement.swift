/// What a running fleet says about its private broker: the content of `PID.json`.
package struct BrokerAnnouncement: Announcement, Equatable {
    package static let folder = "brokers"

    /// Where the broker is: `mqtt://127.0.0.1:PORT`.
    package let url: String
    /// The process that owns the broker.
    package let processID: Int32
    /// The home that its devices live in; the first one where there are several.
    package let home: String
    /// Who may connect.
    package let credentials: BrokerCredentials

    /// Creates one.
    package init(url: String, processID: Int32, home: String, credentials: BrokerCredentials) {
        self.url = url
        self.processID = processID
        self.home = home
        self.credentials = credentials
    }

    /// Reads the content of `PID.json`, nil where it is not exactly one object with `url`, `pid`,
    /// `home`, `username` and `password` of the right types. Other members with simple values are ignored.
    package init?(json: [UInt8]) {
        guard let members = FlatJSONObject(json)?.members,
            case .text(let url) = members["url"], case .text(let home) = members["home"],
            case .text(let username) = members["username"],
            case .text(let password) = members["password"],
            case .integer(let pid) = members["pid"], let processID = Int32(exactly: pid),
            processID > 0, url.hasPrefix("mqtt://")
        else { return nil }
        self.init(
            url: url, processID: processID, home: home,
            credentials: BrokerCredentials(username: username, password: password))
    }

    package var clientOptions: String? {
        guard let colon = url.lastIndex(of: ":") else { return nil }
        return """
            -h 127.0.0.1
            -p \(url[url.index(after: colon)...])
            -u \(credentials.username)
            -P \(credentials.password)

            """
    }

    /// The content of `PID.json`.
    package var json: [UInt8] {
        FlatJSONObject.bytes([
            ("url", .text(url)), ("pid", .integer(Int(processID))), ("home", .text(home)),
            ("username", .text(credentials.username)), ("password", .text(credentials.password)),
        ])
    }
}
