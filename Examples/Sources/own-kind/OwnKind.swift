import Homeport

/// Waters every lawn that is dry: `swift run own-kind mqtt://127.0.0.1:1883`.
@main
struct OwnKind {
    static func main() async throws {
        let broker = CommandLine.arguments.dropFirst().first ?? "mqtt://127.0.0.1:1883"
        var configuration = try HomeConfiguration(home: "home-1", broker: broker)
        configuration.blueprints = Sprinkler.blueprints
        try await withHome(configuration) { home in
            let sprinklers = try await home.devices(of: Sprinkler.self)
            print("\(sprinklers.count) sprinklers in \(home.id)")
            for sprinkler in sprinklers where (sprinkler.moisturePercent ?? 0) < 30 {
                let receipt = try await home.send(.water(minutes: 10), to: sprinkler)
                print(sprinkler.name, try await receipt.accepted(within: .seconds(5)))
            }
        }
    }
}
