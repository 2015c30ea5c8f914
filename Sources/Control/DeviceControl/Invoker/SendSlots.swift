internal import DequeModule

/// How many sends or questions of a channel are under way, and who waits for one to end; first come,
/// first served. A device has one send of a lane and one question in it at a time, so none holds up the
/// others.
final class SendSlots {
    /// How many of either one channel has under way at once. After an outage a whole fleet's commands
    /// are due together; the broker gets them a little at a time.
    static let limit = 256

    private var taken = 0
    private var waiting: Deque<CheckedContinuation<Void, Never>> = []

    /// Waits for a slot and takes it.
    func take() async {
        guard taken == Self.limit else {
            taken += 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Gives a slot to the next in line, or frees it.
    func giveBack() {
        if let next = waiting.popFirst() { next.resume() } else { taken -= 1 }
    }
}

/// What the devices of a channel share: its link, and how much is under way over it.
final class ChannelTraffic {
    /// Whether the link works.
    var link = ChannelLink.works
    /// The sends that are under way.
    let sends = SendSlots()
    /// The questions that are under way. After a crash every device may have to be asked.
    let questions = SendSlots()
}
