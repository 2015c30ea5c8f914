public import Connectivity

/// How the link of a channel stands.
public enum LinkStanding: Hashable, Sendable {
    /// It is being set up for the first time.
    case connecting
    /// It works.
    case connected
    /// It works, but a part of what was asked for was refused; this is why.
    case limited(Failure)
    /// It is lost, and why; the next attempt begins after this time, or never.
    case lost(Failure, retryIn: Duration?)

    public init(_ link: LinkState) {
        switch link {
        case .connecting: self = .connecting
        case .connected: self = .connected
        case .limited(let error): self = .limited(Failure(error))
        case .lost(let error, let retryIn): self = .lost(Failure(error), retryIn: retryIn)
        }
    }
}

extension Failure {
    /// What a channel said of its link.
    init(_ error: CommunicationError) {
        self.init("\(error)", .checkConnection, code: error.code.rawValue)
    }
}
