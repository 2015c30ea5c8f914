/// The packet identifiers of unfinished QoS 2 exchanges in the broker's session. A new message with such an
/// identifier would be discarded as a duplicate.
struct UnreleasedPackets {
    private var identifiers: Set<UInt16> = []

    var isEmpty: Bool { identifiers.isEmpty }

    func contains(_ packet: UInt16) -> Bool { identifiers.contains(packet) }

    mutating func insert(_ packet: UInt16) {
        identifiers.insert(packet)
    }

    mutating func remove(_ packet: UInt16) {
        identifiers.remove(packet)
    }

    /// The identifier that is followed by the longest free range of 1 to 65,535, taken as a circle; nil if
    /// all are free.
    var lastBeforeLongestGap: UInt16? {
        let held = identifiers.sorted().map(Int.init)
        guard let first = held.first else { return nil }
        let next = held.dropFirst() + [first + Int(UInt16.max)]
        let gaps = zip(held, next).map { (last: $0, length: $1 - $0) }
        return gaps.max { $0.length < $1.length }.map { UInt16(clamping: $0.last) }
    }
}
