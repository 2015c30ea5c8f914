import Testing

@testable import MQTTClient

/// How much one turn of the loop reads.
@Suite struct ReadRoundTests {
    /// How many reads of so many packets a turn makes of a socket that always has more.
    private func reads(of packets: Int) -> Int {
        var round = ReadRound(isConnected: true, isBroken: false)
        var count = 0
        while round.goesOn(hasReadAhead: false) {
            round.read(packets)
            count += 1
        }
        return count
    }

    @Test func aTurnEndsOnceItsPacketsAreRead() {
        #expect(reads(of: 1) == ReadRound.packets)
        #expect(reads(of: 16) == ReadRound.packets / 16)
        #expect(reads(of: 0) == ReadRound.packets, "a read counts even where no packet was whole")
    }

    @Test func whatWasTakenFromTheSocketIsReadToItsEnd() {
        var round = ReadRound(isConnected: true, isBroken: false)
        round.read(ReadRound.packets)
        #expect(!round.takesMore)
        #expect(round.goesOn(hasReadAhead: true) && !round.goesOn(hasReadAhead: false))
    }

    @Test func aPauseEndsTheTurnUnlessTheSocketHasEnded() {
        let open = ReadRound(isConnected: true, isBroken: false)
        #expect(open.isOver(isReading: false, isConnected: true))
        #expect(!open.isOver(isReading: true, isConnected: true))
        let broken = ReadRound(isConnected: true, isBroken: true)
        #expect(!broken.isOver(isReading: false, isConnected: true))
    }

    @Test func theOwnerHearsOfTheConnectionBeforeTheNextPacket() {
        let connecting = ReadRound(isConnected: false, isBroken: false)
        #expect(!connecting.isOver(isReading: true, isConnected: false))
        #expect(connecting.isOver(isReading: true, isConnected: true))
    }
}
