import Homeport
import TerminalOutput

extension ConnectionState {
    /// The presence in a word, as JSON and tables say it.
    var word: String {
        switch self {
        case .unknown: "unknown"
        case .online: "online"
        case .offline: "offline"
        }
    }

    /// What the presence means for the reader.
    var tone: Tone {
        switch self {
        case .unknown: .doubtful
        case .online: .good
        case .offline: .bad
        }
    }
}

extension CommandState {
    /// What the state means for the reader.
    var tone: Tone {
        switch self {
        case .succeeded: .good
        case .failed, .rejected, .refused: .bad
        case .unknown, .expired: .doubtful
        case .created, .queued, .sending, .sent, .accepted, .running, .cancelled, .superseded:
            .plain
        }
    }
}

extension AckStage {
    /// What the stage means for the reader.
    var tone: Tone {
        switch self {
        case .succeeded: .good
        case .failed, .rejected: .bad
        case .expired: .doubtful
        case .accepted, .progress, .cancelled, .superseded: .plain
        }
    }
}

extension LinkState {
    /// The state in a word, as JSON and tables say it.
    var word: String {
        switch self {
        case .connecting: "connecting"
        case .connected, .limited: "connected"
        case .lost(_, retryIn: .some): "connecting"
        case .lost(_, retryIn: nil): "down"
        }
    }

    /// What the state means for the reader.
    var tone: Tone {
        switch self {
        case .connecting, .limited, .lost(_, retryIn: .some): .doubtful
        case .connected: .good
        case .lost(_, retryIn: nil): .bad
        }
    }
}

extension Finding.Status {
    /// What the status means for the reader.
    var tone: Tone {
        switch self {
        case .ok: .good
        case .warning: .doubtful
        case .problem: .bad
        }
    }
}
