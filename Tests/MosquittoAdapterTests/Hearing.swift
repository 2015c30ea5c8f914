import Connectivity
import DeviceDomain
import DeviceMessages
import Locking
import MosquittoAdapter

/// What one observer of a channel heard, as a record and as a stream.
final class Hearing: Sendable {
    private let record = Guarded<[Observation]>([])
    private let observations: AsyncStream<Observation>
    private let source: AsyncStream<Observation>.Continuation

    init() { (observations, source) = AsyncStream.makeStream() }

    /// Everything until now.
    var all: [Observation] { record.withLock { $0 } }

    /// The devices that something was heard of.
    var devices: Set<DeviceID> { Set(all.map(\.device)) }

    /// What was heard of a device, in short words.
    func words(of id: String) -> [String] {
        all.filter { $0.device == device(id) }.map(\.content.word)
    }

    /// The next observation that nobody waited for yet.
    func next() async -> Observation? {
        for await observation in observations { return observation }
        return nil
    }

    /// Waits for an observation in these words.
    func next(_ word: String, of id: String) async {
        for await observation in observations
        where observation.device == device(id) && observation.content.word == word { return }
    }

    func take(_ observation: Observation) {
        record.withLock { $0.append(observation) }
        source.yield(observation)
    }
}

extension MosquittoChannel {
    /// Observes a part of the home.
    nonisolated func hear(
        _ scope: HomeScope = .everyDevice, of home: HomeID = home
    ) -> (hearing: Hearing, observation: ChannelObservation) {
        let hearing = Hearing()
        return (hearing, observe(home, scope) { hearing.take($0) })
    }

    /// Observes a part of the home until everything that is retained has come.
    nonisolated func survey(
        _ scope: HomeScope = .everyDevice
    ) async throws -> (hearing: Hearing, completeness: ReplayCompleteness) {
        let (hearing, observation) = hear(scope)
        let completeness = try await replay(home, scope)
        observation.cancel()
        return (hearing, completeness)
    }

    /// Waits until the link says that of itself.
    nonisolated func reached(_ word: String) async {
        for await state in linkStates() where state.word == word { return }
    }
}

extension LinkState {
    /// The state in short words.
    var word: String {
        switch self {
        case .connecting: "connecting"
        case .connected: "connected"
        case .limited: "limited"
        case .lost(let error, retryIn: nil): "lost for good: \(error.code.rawValue)"
        case .lost(let error, retryIn: _?): "lost: \(error.code.rawValue)"
        }
    }
}

extension Observation.Content {
    /// The content in short words.
    var word: String {
        switch self {
        case .description: "description"
        case .presence: "presence"
        case .state(let report): "state \(report.revision ?? -1)"
        case .telemetry: "telemetry"
        case .event: "event"
        case .evidence: "evidence"
        case .cleared(let part): "cleared \(part.rawValue)"
        case .removed: "removed"
        case .problem(let part, _): "problem \(part.rawValue)"
        }
    }
}

extension ObservationStream {
    /// The next observation.
    func next() async -> Observation? {
        for await observation in self { return observation }
        return nil
    }

    /// The next evidence of a command, skipping all else; `nil` when the stream has ended.
    func evidence() async -> CommandEvidence? {
        for await observation in self {
            if case .evidence(let evidence) = observation.content { return evidence }
        }
        return nil
    }
}
