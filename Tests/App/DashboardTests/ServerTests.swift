import DeviceDomain
import Testing

@testable import Dashboard

/// The dashboard's web server over real connections.
@Suite(.timeLimit(.minutes(1))) struct ServerTests {
    /// A running server.
    private struct Server: Sendable {
        let port: Int
        let token: String

        func connection() throws -> RawConnection { try RawConnection(to: port) }

        func head(_ line: String, _ more: String = "") -> String {
            "\(line) HTTP/1.1\nHost: 127.0.0.1:\(port)\n\(more)\n"
        }

        /// Signs a program in.
        /// - Returns: its header `Cookie`.
        func cookie() async throws -> String {
            let connection = try connection()
            connection.send(head("GET /?token=\(token)", "Connection: close\n"))
            let answer = try await connection.read()
            let line = try #require(
                answer.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie:") })
            let pair = try #require(line.split(separator: ";").first?.split(separator: " ").last)
            return "Cookie: \(pair)\n"
        }
    }

    private func withServer(
        _ connections: OpenConnections = OpenConnections(),
        _ body: @escaping @Sendable (Server) async throws -> Void
    ) async throws {
        let dashboard = try Dashboard(
            DashboardConfiguration(address: try DashboardAddress("127.0.0.1:0")))
        let (links, tell) = AsyncStream<String>.makeStream()
        let pages = await SiteTests.Pages()
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await dashboard.run(
                    pages, of: "home-1", connections: connections, report: { _ in },
                    onListening: { tell.yield($0) }, meanwhile: { await LiveTests.untilCancelled() }
                )
            }
            var iterator = links.makeAsyncIterator()
            let link = try #require(await iterator.next())
            let parts = link.split(separator: "/?token=")
            let server = Server(
                port: try #require(parts[0].split(separator: ":").last.flatMap { Int($0) }),
                token: String(parts[1]))
            try await body(server)
        }
    }

    @Test func strangersThatStaySilentAreClosedAndBrowsersThatAreInAreNot() async throws {
        try await withServer(OpenConnections(patience: .milliseconds(300))) { server in
            let cookie = try await server.cookie()
            let owner = try server.connection()
            owner.send(server.head("GET /", cookie))
            _ = try await owner.read(until: "</p>")
            let silent = [
                try server.connection(), try server.connection(), try server.connection(),
            ]
            silent[1].send("GET / HTT")
            silent[2].send(server.head("POST /sign-in", Self.form + "Content-Length: 9\n"))
            for connection in silent { _ = try await connection.read() }
            let asked = try server.connection()
            asked.send(server.head("GET /"))
            #expect(try await asked.read().hasPrefix("HTTP/1.1 401"))
            owner.send(server.head("GET /energy", cookie))
            #expect(try await owner.read(until: "</p>").contains("/energy"))
        }
    }

    private static let form = "Content-Type: application/x-www-form-urlencoded\n"

    @Test func silentConnectionsDoNotKeepTheOwnerOut() async throws {
        try await withServer { server in
            let cookie = try await server.cookie()
            let owner = try server.connection()
            owner.send(server.head("GET /", cookie))
            _ = try await owner.read(until: "</p>")
            var silent: [RawConnection] = []
            for _ in 0..<700 { silent.append(try server.connection()) }
            let another = try server.connection()
            another.send(server.head("GET /energy", cookie))
            #expect(try await another.read(until: "</p>").contains("/energy"))
            owner.send(server.head("GET /queue", cookie))
            #expect(try await owner.read(until: "</p>").contains("/queue"))
            silent.removeAll()
        }
    }

    @Test func signingOutEndsTheStreamsOfThatBrowserAtOnce() async throws {
        try await withServer { server in
            let cookie = try await server.cookie()
            let stream = try server.connection()
            stream.send(server.head("GET /events?page=/", cookie))
            _ = try await stream.read(until: "retry:")
            let value = try #require(
                cookie.split(separator: "=").last?.trimmingSuffix("\n"))
            let formToken = BrowserSession(cookie: value).formToken.text
            let form = "form-token=\(formToken)"
            let browser = try server.connection()
            browser.send(
                server.head(
                    "POST /sign-out",
                    cookie + Self.form + "Origin: http://127.0.0.1:\(server.port)\n"
                        + "Connection: close\nContent-Length: \(form.utf8.count)\n") + form)
            #expect(try await browser.read().hasPrefix("HTTP/1.1 303"))
            // The end of a chunked body, without another event.
            #expect(try await stream.read(until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
        }
    }

    @Test(arguments: ["xchunked", "chunked, identity", "identity"])
    func whatFollowsABodyOfUnknownLengthIsNoRequest(coding: String) async throws {
        try await withServer(OpenConnections(patience: .milliseconds(300))) { server in
            let connection = try server.connection()
            connection.send(
                server.head("POST /sign-in", Self.form + "Transfer-Encoding: \(coding)\n")
                    + server.head("GET /"))
            let answer = try await connection.read()
            #expect(answer.hasPrefix("HTTP/1.1 400"))
            #expect(answer.split(separator: "HTTP/1.1 ").count == 1)
        }
    }

    @Test func aRequestForTwoHostsIsRefused() async throws {
        try await withServer { server in
            let cookie = try await server.cookie()
            for more in ["Host: evil.example\n", "Host: 127.0.0.1:\(server.port)\n"] {
                let connection = try server.connection()
                connection.send(server.head("GET /", more + cookie + "Connection: close\n"))
                #expect(try await connection.read().hasPrefix("HTTP/1.1 403"))
            }
        }
    }

    /// The target may be a whole URL, which then says what host is meant.
    @Test func aTargetOfAnotherHostIsRefused() async throws {
        try await withServer { server in
            let cookie = try await server.cookie()
            let own = "127.0.0.1:\(server.port)"
            for target in [
                "http://evil.example/", "http://evil.example:\(server.port)/", "http://127.0.0.1/",
                "http://evil@\(own)/", "http://\(own).evil.example/", "http:///", "ftp://\(own)/",
                "http://evil.example?/\(own)/", "http://evil.example", "*",
                "evil.example:80",
            ] {
                let connection = try server.connection()
                connection.send(server.head("GET \(target)", cookie + "Connection: close\n"))
                let answer = try await connection.read()
                let isRefused = answer.hasPrefix("HTTP/1.1 403") || answer.hasPrefix("HTTP/1.1 400")
                #expect(isRefused, "\(target): \(answer.prefix(40))")
            }
            let connection = try server.connection()
            connection.send(server.head("GET http://\(own)/", cookie + "Connection: close\n"))
            #expect(try await connection.read().hasPrefix("HTTP/1.1 200"))
        }
    }

    /// No proxy is expected, so what one would say counts for nothing.
    @Test func whatAProxyWouldSayIsIgnored() async throws {
        try await withServer { server in
            let cookie = try await server.cookie()
            let forwarded = "X-Forwarded-Host: 127.0.0.1:\(server.port)\n"
            let claims = "X-Forwarded-For: 127.0.0.1\nX-Forwarded-Proto: https\n"
            let connection = try server.connection()
            connection.send(
                "GET / HTTP/1.1\nHost: evil.example\n\(forwarded)\(cookie)Connection: close\n\n")
            #expect(try await connection.read().hasPrefix("HTTP/1.1 403"))
            let own = try server.connection()
            own.send(
                server.head(
                    "GET /", "X-Forwarded-Host: evil.example\n\(claims)\(cookie)Connection: close\n"
                ))
            let answer = try await own.read()
            #expect(answer.hasPrefix("HTTP/1.1 200") && !answer.contains("evil.example"))
        }
    }

    @Test func aNewLinkLetsOneMoreBrowserIn() async throws {
        let dashboard = try Dashboard(
            DashboardConfiguration(address: try DashboardAddress("127.0.0.1:0")))
        #expect(dashboard.newLink() == nil)
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : String(self)
    }
}

extension LiveTests {
    /// Returns when the task is cancelled.
    static func untilCancelled() async {
        let (stream, _) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
    }
}
