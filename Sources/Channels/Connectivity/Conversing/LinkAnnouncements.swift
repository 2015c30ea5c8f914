internal import Basics

/// The state of a channel's link, and who is told of its changes.
package final class LinkAnnouncements: Sendable {
    private struct State {
        var present: LinkState
        var sources: [StreamSource<LinkState>] = []
        var isClosed = false
    }

    private let state: Guarded<State>

    package init(_ present: LinkState = .connecting) { state = Guarded(State(present: present)) }

    /// The link has changed.
    package func announce(_ link: LinkState) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.present = link
            state.sources.removeAll { !$0.send(link) }
        }
    }

    /// The present state and its changes. For a slow consumer the newest 16 are kept.
    package func states() -> LinkStates {
        let (stream, source) = LinkStates.make(.dropOldest(limit: 16))
        state.withLock { state in
            source.send(state.present)
            if state.isClosed { source.finish() } else { state.sources.append(source) }
        }
        return stream
    }

    /// Ends every stream.
    /// - Parameter link: what a later stream begins and ends with; `nil` for the present state.
    package func close(as link: LinkState? = nil) {
        state.withLock { state in
            state.present = link ?? state.present
            state.isClosed = true
            for source in state.sources { source.finish() }
            state.sources = []
        }
    }
}
