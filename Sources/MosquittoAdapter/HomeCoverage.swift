internal import Connectivity
internal import DeviceDomain

/// What of a home is subscribed to on the present connection: nothing, one device, or all of it.
///
/// A second device makes it the whole home, so that a home never takes more than one filter for
/// each reader's topic. A value: the channel carries its actions out.
struct HomeCoverage: Hashable, Sendable {
    /// What the channel does for a wish.
    enum Action: Hashable, Sendable {
        /// The wish is fulfilled.
        case nothing
        /// The answer to a subscription under way fulfils it.
        case wait
        /// Subscribe to this.
        case subscribe(SurveyScope)
    }

    /// What is wanted; `nil` before the first wish. It survives the connection.
    private(set) var wanted: SurveyScope?
    /// What the broker has granted on this connection.
    private(set) var granted: SurveyScope?
    /// What was asked of the broker on this connection and is not answered.
    private(set) var requested: SurveyScope?

    /// Somebody wants a part of the home, or all of it.
    mutating func want(_ scope: SurveyScope, isConnected: Bool) -> Action {
        let union = wanted.map { $0.union(scope) } ?? scope
        wanted = union
        if granted == union { return .nothing }
        guard isConnected, requested != union else { return .wait }
        requested = union
        return .subscribe(union)
    }

    /// The connection is there.
    /// - Returns: what to subscribe to.
    mutating func connected() -> SurveyScope? {
        requested = wanted
        return requested
    }

    /// The broker has granted a subscription.
    /// - Returns: the device whose own filters are now superfluous.
    mutating func granted(_ scope: SurveyScope) -> DeviceID? {
        let former = granted
        if requested == scope { requested = nil }
        guard former != .everyDevice else { return nil }
        granted = scope
        if case .device(let device) = former, scope == .everyDevice { return device }
        return nil
    }

    /// The broker has refused a subscription: the wish is dropped.
    mutating func refused(_ scope: SurveyScope) {
        if requested == scope { requested = nil }
        if wanted == scope { wanted = granted }
    }

    /// The connection is gone, and its subscriptions with it.
    mutating func disconnected() {
        granted = nil
        requested = nil
    }
}

extension SurveyScope {
    /// The smallest scope that holds both.
    func union(_ other: SurveyScope) -> SurveyScope { self == other ? self : .everyDevice }
}
