import Homeport
import HomeportTesting
import TestSupport
import Testing

/// A machine whose clock is wrong owns a home of a ledger that machines share.
@Suite(.timeLimit(.minutes(1))) struct MachineClockTests {
    @Test(arguments: [Duration.seconds(3_600), .seconds(-3_600)])
    func whatOthersLeaveMayStartUntilItsTimeByTheDatabase(error: Duration) async throws {
        let channel = ScriptedChannel(id: try ChannelID("a"))
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
        let house = try ScriptedHouse(channel)
        try house.announce("sweeper-s1", as: "sweeper-1")
        try await withPostgreSQL { database in
            var owning = house.configuration(ledger: .server(database.url))
            owning.takesOverOpenCommands = true
            owning.clock = WrongClock(error: error)
            try await withHome(owning) { owner in
                let device = try DeviceID("sweeper-1")
                // From here on it owns the home.
                let first = try await owner.send("locate", to: device)
                #expect(try await first.outcome().record.state == .succeeded)
                try await owner.rememberDevices()
                let other = try ScriptedHouse(ScriptedChannel(id: ChannelID("a")))
                try await other.withHome(ledger: .server(database.url)) { caller in
                    let left = try await caller.send("locate", to: device)
                    #expect(try await left.outcome().record.state == .succeeded)
                }
            }
        }
    }
}

private struct WrongClock: CommandClock {
    /// How much more its wall clock shows.
    let error: Duration
    private let machine = MachineClock()

    init(error: Duration) { self.error = error }

    var now: Moment {
        let now = machine.now
        return Moment(wall: now.wall.advanced(by: error), elapsed: now.elapsed)
    }

    func sleep(until elapsed: Duration) async { await machine.sleep(until: elapsed) }
}
