import Testing

@testable import Dashboard

@Suite struct RequestGuardTests {
    private let loopback = RequestGuard(
        hosts: ["127.0.0.1", "localhost", "::1"], allowsNumericHosts: false, port: 8080,
        usesTLS: false)

    private func request(
        _ method: PageRequest.Method, host: String?, origin: String? = nil, site: String? = nil
    ) -> PageRequest {
        PageRequest(method: method, path: "/", host: host, origin: origin, fetchSite: site)
    }

    @Test(arguments: ["127.0.0.1:8080", "localhost:8080", "[::1]:8080", "LOCALHOST:8080"])
    func ownHostsAreAnswered(host: String) throws {
        try loopback.check(request(.get, host: host))
    }

    @Test(arguments: [
        nil, "", "evil.example:8080", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8081",
        "localhost.:8080",
        "127.0.0.1:8080.evil.example", "[::1", "192.168.1.5:8080", "127.0.0.1:8080:8080",
    ])
    func foreignHostsAreRefused(host: String?) {
        #expect(throws: RequestGuard.Refusal.foreignHost) {
            try loopback.check(request(.get, host: host))
        }
    }

    @Test(arguments: [
        "http://evil.example", "null", "https://127.0.0.1:8080", "http://127.0.0.1:9",
        "http://localhost:8080",
    ])
    func foreignOriginsAreRefused(origin: String) {
        for method in [PageRequest.Method.get, .post] {
            #expect(throws: RequestGuard.Refusal.foreignOrigin) {
                try loopback.check(request(method, host: "127.0.0.1:8080", origin: origin))
            }
        }
    }

    @Test func aChangeNeedsAKnownOrigin() throws {
        let host = "127.0.0.1:8080"
        #expect(throws: RequestGuard.Refusal.unknownOrigin) {
            try loopback.check(request(.post, host: host))
        }
        for site in ["cross-site", "same-site", "none"] {
            #expect(throws: RequestGuard.Refusal.foreignOrigin) {
                try loopback.check(request(.post, host: host, site: site))
            }
        }
        try loopback.check(request(.post, host: host, site: "same-origin"))
        try loopback.check(request(.post, host: host, origin: "http://127.0.0.1:8080"))
        try loopback.check(request(.post, host: host, origin: "null", site: "same-origin"))
        #expect(throws: RequestGuard.Refusal.foreignOrigin) {
            try loopback.check(request(.post, host: host, origin: "null", site: "cross-site"))
        }
        // A link or a typed address.
        try loopback.check(request(.get, host: host, site: "none"))
    }

    @Test func aServerForOthersTakesAnyAddressButNoForeignName() throws {
        let open = RequestGuard(
            hosts: ["hall"], allowsNumericHosts: true, port: 443, usesTLS: true)
        for host in ["192.168.1.5", "[fe80::1]:443", "hall:443", "hall"] {
            try open.check(request(.get, host: host))
        }
        #expect(throws: RequestGuard.Refusal.foreignHost) {
            try open.check(request(.get, host: "evil.example"))
        }
        #expect(throws: RequestGuard.Refusal.foreignOrigin) {
            try open.check(request(.post, host: "hall", origin: "http://hall"))
        }
    }
}
