internal import Basics
internal import Connectivity

/// What is known of the ways to a platform, and who is told of changes.
final class LinkAnnouncer: Sendable {
    private struct State {
        var api = LinkState.connecting
        /// Why the subscription does not work; `nil` where it does, or is not used.
        var subscriptionProblem: CommunicationError?

        var link: LinkState {
            switch api {
            case .connected: subscriptionProblem.map(LinkState.limited) ?? .connected
            case .connecting, .limited, .lost: api
            }
        }
    }

    private let state = Guarded(State())
    private let announcements = LinkAnnouncements()

    /// Whether calls of the API work.
    var isConnected: Bool { state.withLock { $0.api.isConnected } }

    /// Whether calls of the API do not work any more, or never did.
    var isLost: Bool {
        state.withLock { state in if case .lost = state.api { true } else { false } }
    }

    /// Calls of the API work, or do not.
    func api(is api: LinkState) {
        state.withLock { state in
            let wasConnected = state.api.isConnected
            state.api = api
            guard !(wasConnected && api.isConnected) else { return }
            announcements.announce(state.link)
        }
    }

    /// The subscription works, or does not for this reason.
    func subscription(has problem: CommunicationError?) {
        state.withLock { state in
            let isSame = state.subscriptionProblem?.message == problem?.message
            state.subscriptionProblem = problem
            if !isSame, state.api.isConnected { announcements.announce(state.link) }
        }
    }

    /// The present state and its changes. For a slow consumer the newest 16 are kept.
    func states() -> LinkStates { announcements.states() }

    /// Ends every stream.
    func close() { announcements.close() }
}
