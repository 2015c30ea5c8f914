import Testing

@testable import MQTTClient

@Suite struct UnreleasedPacketsTests {
    @Test(
        arguments: [
            ([], nil), ([1], 1), ([1, 2, 3], 3), ([5, 9], 9), ([9, 60_000], 9),
            // Held across the end of the circle.
            (Array(65_500...65_535) + Array(1...64), 64), ([65_535], 65_535), ([1, 65_535], 1),
        ] as [([UInt16], UInt16?)])
    func newOnesBeginBehindThoseThatAreHeld(held: [UInt16], last: UInt16?) {
        var packets = UnreleasedPackets()
        for packet in held { packets.insert(packet) }
        #expect(packets.lastBeforeLongestGap == last)
    }

    @Test func whatIsReleasedIsFree() {
        var packets = UnreleasedPackets()
        packets.insert(7)
        #expect(packets.contains(7) && !packets.contains(8))
        packets.remove(7)
        #expect(packets.isEmpty)
        #expect(packets.lastBeforeLongestGap == nil)
    }
}
