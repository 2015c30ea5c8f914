import DeviceDomain
import DeviceMessages
import Fleet
import Testing

@testable import Scenarios

/// When the commands of a scenario are sent again.
@Suite struct UnansweredCommandsTests {
    private static let wire = Timestamp(milliseconds: 1_764_000_000_000)
    private static let device = DeviceKey(
        home: .literal("home-1"), device: .literal("sweeper-1"))
    private static let other = DeviceKey(
        home: .literal("home-1"), device: .literal("sweeper-2"))

    private var commands = UnansweredCommands(seed: 7)

    /// Adds a command that expires 30 s after the beginning of the test.
    private mutating func add(_ device: DeviceKey = Self.device, seed: UInt64 = 1) -> CommandID {
        let message = ScriptedCommand(
            at: .zero, device: device, name: "locate", arguments: [:], lane: .normal, seed: seed
        ).message(by: .literal("scenario"), issuedAt: Self.wire, sequence: 1)
        commands.add(message, to: device, on: .normal)
        return message.id
    }

    /// Sends what is due until a time, and says when that was.
    private mutating func times(until end: Duration) -> [Duration] {
        var times: [Duration] = []
        while let next = commands.next, next <= end {
            for id in commands.takeDue(at: next, Self.wire.advanced(by: next)) {
                _ = commands.send(id, at: next)
                times.append(next)
            }
        }
        return times
    }

    private mutating func expectNext(_ time: Duration?) {
        let next = commands.next
        #expect(next == time)
    }

    private func isWait(_ wait: Duration, around seconds: Double) -> Bool {
        (seconds * 0.8...seconds * 1.2).contains(wait / .seconds(1))
    }

    @Test mutating func waitsDoubleUpToEightSeconds() {
        let id = add()
        #expect(commands.send(id, at: .zero)?.attempt == 1)
        let times = times(until: .seconds(29))
        let waits = zip(times, [.zero] + times).map(-)
        #expect(waits.count >= 4, "\(waits)")
        for (wait, expected) in zip(waits, [1.0, 2, 4, 8, 8]) {
            #expect(isWait(wait, around: expected), "\(waits)")
        }
        #expect(Set(zip(waits, [1.0, 2, 4, 8]).map { $0 / .seconds($1) }).count == 4, "scattered")
        #expect(commands.send(id, at: .seconds(29))?.attempt == times.count + 2)
    }

    @Test mutating func whatWasAnsweredIsNeverSentAgain() {
        let (first, second) = (add(seed: 1), add(seed: 2))
        for id in [first, second] { _ = commands.send(id, at: .zero) }
        commands.remove(first)
        #expect(commands.takeDue(at: .seconds(2), Self.wire) == [second])
        #expect(commands.send(first, at: .seconds(2)) == nil)
        #expect(commands.count == 1)
    }

    @Test mutating func whatHasExpiredIsForgotten() {
        let id = add()
        _ = commands.send(id, at: .zero)
        #expect(commands.takeDue(at: .seconds(40), Self.wire.advanced(by: .seconds(40))) == [])
        #expect(commands.count == 0)
        expectNext(nil)
    }

    /// A command of a lost connection leaves with the next one, and the waits go on.
    @Test mutating func aNewConnectionSendsEverythingAtOnce() {
        let (first, second) = (add(seed: 1), add(seed: 2))
        _ = commands.send(first, at: .zero)
        commands.connectionEnded()
        expectNext(nil)
        let ids = commands.connectionBegan(Self.wire.advanced(by: .seconds(5)))
        #expect(Set(ids) == [first, second])
        #expect(commands.connectionBegan(Self.wire.advanced(by: .seconds(31))) == [])
    }

    /// The broker keeps a command for a device that is away; more of the same would only pile up.
    @Test mutating func nothingIsSentAgainToADeviceThatIsAway() throws {
        let (id, otherID) = (add(), add(Self.other, seed: 2))
        _ = commands.send(id, at: .zero)
        _ = commands.send(otherID, at: .zero)
        commands.left(Self.device)
        #expect(commands.takeDue(at: .seconds(2), Self.wire) == [otherID])
        _ = commands.send(id, at: .seconds(3))
        expectNext(nil)
        commands.returned(Self.device, at: .seconds(20))
        let known = commands.next
        let next = try #require(known)
        #expect(isWait(next - .seconds(20), around: 1), "the waits begin again")
        commands.returned(Self.device, at: .seconds(20.1))
        expectNext(next)
    }

    @Test mutating func aNewConnectionKnowsOfNobodyWhoIsAway() {
        let id = add()
        commands.left(Self.device)
        commands.connectionEnded()
        _ = commands.send(id, at: .zero)
        let next = commands.next
        #expect(next != nil)
    }
}
