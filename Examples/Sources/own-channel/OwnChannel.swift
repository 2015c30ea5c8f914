import Homeport
import HomeportTesting

/// Tries a channel against the contract, then uses it in a home: `swift run own-channel`.
@main
struct OwnChannel {
    static func main() async throws {
        let (home, id) = (try HomeID("villa"), try ChannelID("bus"))
        let violations = await ChannelConformance(of: LampPeer(home: home, id: id)).violations()
        for violation in violations { print("broken: \(violation)") }
        precondition(violations.isEmpty, "the channel does not keep the contract")
        print("the channel keeps all \(ConformanceRule.allCases.count) rules")

        let bus = LampBus(lamps: [1: false, 2: false])
        let setup = ChannelSetup(
            id: id, kind: ChannelKind(rawValue: "lamp-bus"), address: "the bus of the lamps"
        ) { context in
            LampChannel(id: id, home: context.home, bus: bus)
        }
        let configuration = HomeConfiguration(home: home, channels: [setup], ledger: .memory)
        try await withHome(configuration) { home in
            for lamp in try await home.devices() {
                let receipt = try await home.send(.turnOn, to: lamp.id)
                print(lamp.name, try await receipt.finished().record.state)
            }
        }
    }
}

/// A bus with one lamp for each rule of the contract.
struct LampPeer: ChannelPeer {
    let home: HomeID
    let id: ChannelID
    let controller = HomeConfiguration.standardController
    let device = LampChannel.id(of: 1)
    let command = CommandName.turnOn
    let arguments: JSONObject = [:]
    private let bus = LampBus(lamps: [1: false])

    init(home: HomeID, id: ChannelID) {
        self.home = home
        self.id = id
    }

    func makeChannel() async throws -> any CommunicationChannel {
        LampChannel(id: id, home: home, bus: bus)
    }

    func receivedCommands() async throws -> Int { await bus.switches }

    func loseLink() async throws { await bus.plug(isIn: false) }

    func restoreLink() async throws { await bus.plug(isIn: true) }

    func sendGarbage() async throws { await bus.crackle() }
}
