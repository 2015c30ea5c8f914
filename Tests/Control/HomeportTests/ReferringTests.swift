import Homeport
import HomeportTesting
import TestSupport
import Testing

/// Commands that people name by a part of their id, or as the newest one.
@Suite(.timeLimit(.minutes(1))) struct ReferringTests {
    private let channel: ScriptedChannel
    private let house: ScriptedHouse

    init() throws {
        channel = ScriptedChannel(id: try ChannelID("test"))
        house = try ScriptedHouse(channel)
        try house.announce("sweeper-s1", as: "sweeper-1")
    }

    @Test func aCommandIsMeantByItsIDTheEndOfItOrAsTheNewest() async throws {
        try await house.withHome { home in
            let first = try await home.send(.locate, to: try DeviceID("sweeper-1")).id
            let second = try await home.send(.locate, to: try DeviceID("sweeper-1")).id
            for (text, meant) in [
                (first.text, first), (String(first.text.suffix(12)), first),
                (String(second.text.suffix(17)).uppercased(), second), ("last", second),
            ] {
                let reference = try #require(CommandReference(text))
                #expect(try await home.commandID(reference) == meant, "\(text)")
            }
        }
    }

    @Test func whatTheLedgerDoesNotHaveIsSaid() async throws {
        try await house.withHome { home in
            for reference in [CommandReference.latest, .ending("00000000")] {
                let error = await #expect(throws: HomeError.self) {
                    try await home.commandID(reference)
                }
                #expect(error?.code == .unknownCommand)
            }
        }
    }

    @Test func anEndThatSeveralHaveIsRefused() async throws {
        try await house.withHome { home in
            let ids = [
                try await home.send(.locate, to: try DeviceID("sweeper-1")).id,
                try await home.send(.locate, to: try DeviceID("sweeper-1")).id,
            ]
            let error = await #expect(throws: HomeError.self) {
                try await home.commandID(.ending(""))
            }
            #expect(error?.code == .unknownCommand)
            #expect(ids.allSatisfy { error?.message.contains($0.text) == true })
        }
    }

    @Test(arguments: ["", "12345", "12345g", "first", "LAST", "0123456789abcdef0123456789abcdef0"])
    func anythingElseIsNoReference(text: String) {
        #expect(CommandReference(text) == nil)
    }
}
