/// What the network between a client and its broker does to their packets, in each direction.
///
/// As with TCP no byte is lost, and none overtakes another: what does not get through is sent again until it
/// does, or until one of the two gives the connection up.
package struct LinkConditions: Hashable, Sendable {
    /// Whether anything gets through.
    package enum Passage: Hashable, Sendable {
        /// Everything does.
        case open
        /// Nothing does for now. The sockets stay open, and what is held arrives at the end.
        case held
        /// The broker's side of the connection that there is now is gone, and the client does not hear of it before
        /// the end. Later connections get through.
        case severed
    }

    package var passage = Passage.open
    /// How many bytes the link carries in a second; nil for as many as come.
    package var bytesPerSecond: Double?
    /// How long a byte is on its way.
    package var delay: Duration = .zero
    /// How much longer a segment may be on its way: each takes a random part of it.
    package var jitter: Duration = .zero
    /// How likely the network loses a segment, from 0 up to 1; then it is sent again.
    package var loss = 0.0

    /// A link that does nothing to its packets.
    package static let clear = LinkConditions()

    package init() {}

    /// The conditions for a connection that is made under these.
    var ofLaterConnections: LinkConditions {
        var conditions = self
        switch passage {
        case .severed: conditions.passage = .open
        case .open, .held: break
        }
        return conditions
    }
}
