package import DeviceDomain

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

    package init(_ members: LineMembers) throws(LocalServicesError) {
        url = try members.text("url")
        processID = try members.process()
        home = try members.text("home")
        credentials = BrokerCredentials(
            username: try members.text("username"), password: try members.text("password"))
        guard url.hasPrefix("mqtt://") else {
            throw LocalServicesError(.malformed, "\(url) is no private broker")
        }
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

    package var members: JSONObject {
        [
            "url": .string(url), "home": .string(home),
            "username": .string(credentials.username),
            "password": .string(credentials.password),
        ]
    }
}
