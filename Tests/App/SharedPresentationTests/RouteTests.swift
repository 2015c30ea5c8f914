import DeviceDomain
import DeviceMessages
import SharedPresentation
import Testing

@Suite struct RouteTests {
    private static let command = "0198c0de-0000-7000-8000-000000000001"
    private static let known: [(String, Route)] = {
        let device = DeviceID(rawValue: "sweeper-1")
        let places: [(String, Route?)] = [
            ("/", .home), ("/devices/sweeper-1", device.map(Route.device)),
            ("/devices/sweeper-1/plan", device.map(Route.plan)),
            ("/commands/\(command)", CommandID(command).map(Route.command)),
            ("/rooms", .rooms), ("/energy", .energy), ("/history", .history), ("/log", .events),
            ("/queue", .queue), ("/schedules", .schedules), ("/rules", .rules),
            ("/provisioning", .provisioning), ("/channels", .channels), ("/settings", .settings),
        ]
        return places.compactMap { path, route in route.map { (path, $0) } }
    }()

    @Test(arguments: known.map(\.0)) func everyPlaceHasOnePath(_ path: String) throws {
        let route = try #require(Self.known.first { $0.0 == path }?.1)
        #expect(Route(path: path) == route)
        #expect(route.path == path)
    }

    @Test func everyKindOfPlaceIsAmongTheKnownOnes() {
        #expect(Self.known.count == 14)
    }

    @Test(arguments: [
        "/nowhere", "/devices", "/devices/UPPER", "/devices/a/b", "/devices/a/plan/more",
        "/commands/1", "/energy/now", "/devices/%2e%2e", "\u{0}", "/devices/-a",
    ])
    func anUnknownPathIsNotFound(_ path: String) {
        guard case .notFound(let unknown) = Route(path: path) else {
            Issue.record("\(path) leads to \(Route(path: path))")
            return
        }
        #expect(unknown.text == path)
    }

    @Test func everyTextLeadsToAPlaceWhosePathLeadsThereAgain() {
        var generator = SystemRandomNumberGenerator()
        let pieces = [
            "/", "//", "devices", "commands", "plan", "energy", "queue", "a", "-", "%", "é",
            "\u{0}",
            "sweeper-1", "0198c0de-0000-7000-8000-000000000001", " ", "?", "#", "..",
        ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...6, using: &generator)
            let path = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
                .joined()
            let route = Route(path: path)
            #expect(Route(path: route.path) == route, "\(path)")
        }
    }
}
