public import DeviceDomain

/// Which of its channels a device uses now, as a value: what is known of the channels goes in, with the time by
/// a monotonic clock.
///
/// The best channel that leads to the device is used. If the one in use leads there no more, another one is
/// used at once; a better one that was down is used again when it has been up for ``patience`` without a
/// break. Where none leads to the device, the last one stays in use.
public struct ChannelSelection: Hashable, Sendable {
    /// For how long a better channel must have been up before it is used again: a link that comes and goes
    /// would move the device with every change.
    public static let patience = Duration.seconds(60)

    /// Whether a channel leads to the device.
    public enum Way: Hashable, Sendable, CaseIterable {
        /// Nothing was heard yet that tells.
        case unknown
        /// Commands can reach the device over it.
        case up
        /// Its link is lost, or the device is offline on it.
        case down
    }

    /// Why a channel is used.
    public enum Reason: Hashable, Sendable {
        /// It is the best one that leads to the device.
        case best
        /// This better one does not lead to the device.
        case insteadOf(ChannelID)
        /// This better one is up again, and is used from this time on if it stays so.
        case until(ChannelID, at: Duration)
        /// No channel is known to lead to the device.
        case noneIsUp
    }

    /// What was seen of a channel.
    fileprivate enum Record: Hashable {
        /// It never was up and never down.
        case fresh
        /// It is down, or was and nothing was heard since.
        case down
        /// It is up; `since` is `nil` where it was never seen down, so that it need not prove itself.
        case up(since: Duration?)
    }

    /// The channel in use; `nil` where the device has none.
    public private(set) var channel: ChannelID?
    /// Why it is used.
    public private(set) var reason = Reason.noneIsUp
    private var records: [ChannelID: Record] = [:]

    public init() {}

    /// Takes in what is known of the channels.
    /// - Parameters:
    ///   - ways: the channels that the device may use, the best one first.
    ///   - time: by a monotonic clock.
    /// - Returns: whether another channel is used from now on.
    @discardableResult
    public mutating func update(
        _ ways: [(channel: ChannelID, way: Way)], at time: Duration
    ) -> Bool {
        let former = channel
        for (channel, way) in ways {
            records[channel] = (records[channel] ?? .fresh).followed(by: way, at: time)
        }
        let order = ways.map(\.channel)
        if let channel, let place = order.firstIndex(of: channel), isUp(channel) {
            if let better = order[..<place].first(where: { isProven($0, at: time) }) {
                self.channel = better
            }
        } else if let usable = order.first(where: isUp) {
            channel = usable
        } else if channel.map({ !order.contains($0) }) ?? true {
            channel = order.first
        }
        reason = reason(among: order)
        return channel != former
    }

    /// When a better channel will have been up for long enough; `nil` if none is waited for.
    public var nextReview: Duration? {
        if case .until(_, let due) = reason { due } else { nil }
    }

    private func reason(among order: [ChannelID]) -> Reason {
        guard let channel, isUp(channel) else { return .noneIsUp }
        guard let place = order.firstIndex(of: channel), place > 0 else { return .best }
        let waiting = order[..<place].compactMap { better -> (ChannelID, Duration)? in
            guard case .up(let since?) = records[better] else { return nil }
            return (better, since + Self.patience)
        }
        if let (better, due) = waiting.min(by: { $0.1 < $1.1 }) { return .until(better, at: due) }
        let lost = order[..<place].first { records[$0] == .down }
        return lost.map(Reason.insteadOf) ?? .best
    }

    private func isUp(_ channel: ChannelID) -> Bool {
        if case .up = records[channel] { true } else { false }
    }

    private func isProven(_ channel: ChannelID, at time: Duration) -> Bool {
        guard case .up(let since) = records[channel] else { return false }
        return since.map { time - $0 >= Self.patience } ?? true
    }
}

extension ChannelSelection.Record {
    /// What is known of a channel after one more look at it.
    fileprivate func followed(by way: ChannelSelection.Way, at time: Duration) -> Self {
        switch (self, way) {
        case (.fresh, .unknown): .fresh
        case (.fresh, .up): .up(since: nil)
        case (.down, .up): .up(since: time)
        case (.up, .up): self
        case (.fresh, .down), (.down, .unknown), (.down, .down), (.up, .unknown), (.up, .down):
            .down
        }
    }
}
