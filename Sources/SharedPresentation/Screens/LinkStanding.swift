public import Connectivity

/// How the link of a channel stands.
public enum LinkStanding: Hashable, Sendable {
    /// It is being set up for the first time.
    case connecting
    /// It works.
    case connected
    /// It works, but a part of what was asked for was refused; this is why.
    case limited(String)
    /// It is lost, and why; the next attempt begins after this time, or never.
    case lost(String, retryIn: Duration?)

    public init(_ link: LinkState) {
        switch link {
        case .connecting: self = .connecting
        case .connected: self = .connected
        case .limited(let error): self = .limited("\(error)")
        case .lost(let error, let retryIn): self = .lost("\(error)", retryIn: retryIn)
        }
    }
}
