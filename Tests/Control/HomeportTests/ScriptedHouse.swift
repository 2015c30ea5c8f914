import Homeport
import HomeportTesting
import TestSupport

/// A home over scripted channels, in which devices appear as the test says.
struct ScriptedHouse: Sendable {
    let id: HomeID
    let channels: [ScriptedChannel]

    init(_ channels: ScriptedChannel...) throws {
        id = try HomeID("home-1")
        self.channels = channels
    }

    func configuration(
        ledger: LedgerLocation = .memory, rules: [ChannelRule] = []
    ) -> HomeConfiguration {
        HomeConfiguration(
            home: id, channels: channels.map(ChannelSetup.init), rules: rules, ledger: ledger,
            takesOverOpenCommands: false)
    }

    func withHome<Value>(
        ledger: LedgerLocation = .memory, rules: [ChannelRule] = [],
        _ body: (Home) async throws -> Value
    ) async throws -> Value {
        try await Homeport.withHome(configuration(ledger: ledger, rules: rules), body)
    }

    /// Lets a device of a model appear, online.
    func announce(
        _ model: String, as device: String, name: String? = nil, on channel: ScriptedChannel? = nil
    ) throws {
        let made = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: model), id: try DeviceID(device), home: id, name: name)
        (channel ?? channels[0]).announce(made.profile)
    }
}

extension ScriptedChannel {
    /// What was sent until the home ended.
    func allSends() async -> [ScriptedSend] {
        var all: [ScriptedSend] = []
        for await send in sends { all.append(send) }
        return all
    }
}
