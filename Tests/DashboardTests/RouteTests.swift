import Testing

@testable import Dashboard

@Suite struct RouteTests {
    @Test(arguments: [
        "/", "/devices/sweeper-1", "/devices/sweeper-1/plan", "/energy", "/queue", "/schedules",
        "/provisioning", "/channels", "/settings", "/commands/018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11",
    ])
    func aPathIsReadAndWrittenBack(path: String) throws {
        #expect(try #require(Route(path)).path == path)
    }

    @Test(arguments: [
        "/nothing", "/devices", "/devices/Sweeper", "/devices/a/b", "/devices/a/plan/x",
        "/commands/1",
        "/devices/..%2f", "/energy/now", "/devices/<b>",
    ])
    func anUnknownPathHasNoPage(path: String) {
        #expect(Route(path) == nil)
    }

    @Test func randomPathsNeverLeadAstray() {
        var generator = SystemRandomNumberGenerator()
        let words = [
            "devices", "commands", "plan", "energy", "a-1", "..", "", "%00", "é", "018f3c1e",
        ]
        for _ in 0..<2_000 {
            let path =
                "/"
                + (0..<Int.random(in: 0...4, using: &generator))
                .map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: "/")
            guard let route = Route(path) else { continue }
            #expect(Route(route.path) == route)
        }
    }
}
