internal import Connectivity

/// Which part of a home is observed over one channel, and how much of it has arrived. Its owner calls the channel.
struct ChannelObservationState: Sendable {
    /// Why the channel did not open in time, while it has not connected since.
    var openingFailure: CommunicationError?
    /// The observations that were decided and have not begun yet.
    private(set) var beginnings: [FutureValue<Void>] = []
    /// The part whose retained messages have all arrived since the link was made.
    private(set) var replayed: HomeScope?
    /// Why a device may be missing all the same.
    private var doubt: String?
    /// The part that is observed, or about to be.
    private var scope: HomeScope?
    private var observations: [ChannelObservation] = []
    /// The newest decision to observe the whole home.
    private var latestWhole: FutureValue<Void>?

    /// Decides what is to be observed in addition.
    /// - Parameter beginning: is settled by the caller once it observes that.
    /// - Returns: `nil` where nothing is missing; else ``began(_:of:_:)`` must follow.
    mutating func begin(_ wanted: HomeScope, _ beginning: FutureValue<Void>) -> HomeScope? {
        guard let new = wanted.needed(beside: scope) else { return nil }
        scope = scope?.union(new) ?? new
        beginnings.append(beginning)
        if new.isWhole { latestWhole = beginning }
        return new
    }

    /// What was decided is observed.
    /// - Returns: the observations that it makes superfluous. They end after the new one has begun, so that no
    ///   message is missed.
    mutating func began(
        _ observation: ChannelObservation, of part: HomeScope, _ beginning: FutureValue<Void>
    ) -> [ChannelObservation] {
        beginnings.removeAll { $0 === beginning }
        // A wider one was decided meanwhile, and delivers the same messages.
        guard latestWhole == nil || latestWhole === beginning else { return [observation] }
        let superseded = part.isWhole ? observations : []
        observations = (part.isWhole ? [] : observations) + [observation]
        return superseded
    }

    /// How the replay of a part went that need not be repeated; `nil` if it is due.
    func completeness(of part: HomeScope) -> ReplayCompleteness? {
        guard let replayed, part.subtracting(replayed) == nil else { return nil }
        guard part.isWhole, let doubt else { return .complete }
        return .uncertain(doubt)
    }

    /// A part was replayed.
    mutating func note(_ completeness: ReplayCompleteness, of part: HomeScope) {
        switch completeness {
        case .incomplete: return
        case .complete: break
        case .uncertain(let reason): doubt = reason
        }
        replayed = replayed?.union(part) ?? part
    }

    /// Whether a device may be missing of a part that was replayed.
    var isDoubtful: Bool { replayed != nil && doubt != nil }

    /// What is doubtful is to be replayed again.
    mutating func forgetDoubtfulReplay() {
        guard isDoubtful else { return }
        (replayed, doubt) = (nil, nil)
    }

    /// The link has changed. Behind a new link everything must be replayed again.
    /// - Returns: whether anything is observed over it.
    mutating func apply(_ link: LinkState) -> Bool {
        if link.isConnected {
            openingFailure = nil
        } else {
            replayed = nil
            doubt = nil
        }
        return scope != nil
    }
}

extension HomeScope {
    /// What is to be observed beside a part that is observed already; `nil` where that is nothing.
    ///
    /// The whole home takes the place of its parts. Where only some of its devices need telemetry, it is
    /// observed with all telemetry: so no message is delivered twice.
    fileprivate func needed(beside former: HomeScope?) -> HomeScope? {
        guard let former else { return self }
        guard let new = subtracting(former) else { return nil }
        let sides = [new, former]
        return sides.contains(.everyDeviceWithoutTelemetry) ? .everyDevice : new
    }
}
