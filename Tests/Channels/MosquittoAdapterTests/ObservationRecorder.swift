import Basics
import Connectivity
import DeviceDomain
import DeviceMessages
import MosquittoAdapter

/// Records the observations of one observer, and returns them as a stream.
final class ObservationRecorder: Sendable {
    private let record = Guarded<[DeviceObservation]>([])
    private let observations: AsyncStream<DeviceObservation>
    private let source: AsyncStream<DeviceObservation>.Continuation

    init() { (observations, source) = AsyncStream.makeStream() }

    /// All observations so far.
    var all: [DeviceObservation] { record.withLock { $0 } }

    /// The devices with at least one observation.
    var devices: Set<DeviceID> { Set(all.map(\.device)) }

    /// The names of a device's observations.
    func names(of id: String) -> [String] {
        all.filter { $0.device == device(id) }.map(\.content.name)
    }

    /// The next observation that was not returned yet.
    func next() async -> DeviceObservation? {
        for await observation in observations { return observation }
        return nil
    }

    /// Waits for an observation with this name.
    func next(_ name: String, of id: String) async {
        for await observation in observations
        where observation.device == device(id) && observation.content.name == name { return }
    }

    func take(_ observation: DeviceObservation) {
        record.withLock { $0.append(observation) }
        source.yield(observation)
    }
}

extension MosquittoChannel {
    /// Observes a part of the home.
    nonisolated func startRecording(
        _ scope: HomeScope = .everyDevice, of home: HomeID = home
    ) -> (recorder: ObservationRecorder, observation: ChannelObservation) {
        let recorder = ObservationRecorder()
        return (recorder, observe(home, scope) { recorder.take($0) })
    }

    /// Observes a part of the home until all retained messages have come.
    nonisolated func survey(
        _ scope: HomeScope = .everyDevice
    ) async throws -> (recorder: ObservationRecorder, completeness: ReplayCompleteness) {
        let (recorder, observation) = startRecording(scope)
        let completeness = try await replay(home, scope)
        observation.cancel()
        return (recorder, completeness)
    }

    /// Waits until the link is in a state.
    nonisolated func reached(_ name: String) async {
        for await state in linkStates() where state.name == name { return }
    }
}

extension LinkState {
    /// A short name of the state.
    var name: String {
        switch self {
        case .connecting: "connecting"
        case .connected: "connected"
        case .limited: "limited"
        case .lost(let error, retryIn: nil): "lost for good: \(error.code.rawValue)"
        case .lost(let error, retryIn: _?): "lost: \(error.code.rawValue)"
        }
    }
}

extension DeviceObservation.Content {
    /// A short name of the content.
    var name: String {
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
    func next() async -> DeviceObservation? {
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
