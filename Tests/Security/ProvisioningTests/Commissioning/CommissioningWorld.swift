import Basics
import Connectivity
import DeviceDomain
import Keychain
import MatterAdapter
import Provisioning
import ProvisioningProtocol

/// A Matter server, a keychain and a repository around an attempt. A test scripts what the server answers.
final class CommissioningWorld: Sendable {
    /// What happens to a request.
    enum Reply: Sendable {
        /// It is answered.
        case answer(CommissioningAnswer)
        /// It is not answered while anybody waits.
        case silence
        /// It does not leave.
        case notSent
    }

    struct State {
        var nodes: [CommissionedNode] = [CommissionedNode(id: 7)]
        var isReachable = true
        var means = CommissioningMeans(hasBluetooth: false, hasWiFi: false, hasThread: false)
        var requests: [CommissioningRequest] = []
        var records: [CommissioningRecord] = []
        var script: @Sendable (CommissioningRequest, inout State) -> Reply
        /// Called when an answer is waited for.
        var waited: (@Sendable () -> Void)?
        var wall = Timestamp(milliseconds: 1_764_000_000_000)
        var replies: [Reply] = []
        var failsUpdate: CommissioningRecord.Step?
    }

    let state: Guarded<State>
    let clock = TestClock()
    let keychain = InMemoryKeychain()

    init(_ script: @escaping @Sendable (CommissioningRequest, inout State) -> Reply = obeying) {
        state = Guarded(State(script: script))
    }

    /// A server that does what it is asked for.
    @Sendable static func obeying(_ request: CommissioningRequest, _ state: inout State) -> Reply {
        switch request {
        case .commission:
            let node = CommissionedNode(id: 8)
            state.nodes.append(node)
            return .answer(.done(node))
        case .discover: return .answer(.discovered([]))
        case .remove(let node):
            state.nodes.removeAll { $0.id == node }
            return .answer(.done(nil))
        case .setWiFi, .setThread: return .answer(.done(nil))
        }
    }

    /// Runs the same order in a new process.
    func run(
        _ code: String = "34970112332", wiFi: WiFiAccess? = nil, thread: ThreadDataset? = nil,
        networkOnly: Bool = false, cancelling: Bool = false
    ) async throws -> (CommissioningResult, [ProvisioningEvent]) {
        var order = CommissioningOrder(
            try MatterSetupCode(text: code), home: try HomeID("home-1"),
            channel: try ChannelID("house"), wiFi: wiFi, thread: thread)
        order.networkOnly = networkOnly
        let parts = CommissioningParts(
            server: self, at: "ws://server", repository: self, keychain: keychain, clock: clock,
            now: { self.state.withLock { $0.wall } })
        let context = try await CommissioningContext(order, with: parts)
        // It begins when it can be cancelled.
        let (beginning, begin) = AsyncStream<Void>.makeStream()
        let task = Task {
            for await _ in beginning { break }
            return await context.run()
        }
        if cancelling { state.withLock { $0.waited = { task.cancel() } } }
        begin.yield()
        let result = await task.value
        state.withLock { $0.waited = nil }
        var events: [ProvisioningEvent] = []
        for await event in context.events { events.append(event) }
        return (result, events)
    }

    /// How often the server was asked to commission.
    var commissionings: Int {
        state.withLock { state in
            state.requests.count { if case .commission = $0 { true } else { false } }
        }
    }

    /// The nodes of the server.
    var nodes: [UInt64] { state.withLock { $0.nodes.map(\.id) } }
}

extension CommissioningWorld: CommissioningServer {
    private static let away = CommunicationError(
        .unreachable, "no answer", certainty: .neverLeft, isRetriable: true)

    func open() async throws(CommunicationError) {
        guard state.withLock({ $0.isReachable }) else { throw Self.away }
    }

    func commissioningMeans() async -> CommissioningMeans { state.withLock { $0.means } }

    func commissionedNodes() async -> [CommissionedNode]? {
        state.withLock { $0.isReachable ? $0.nodes : nil }
    }

    func begin(
        _ request: CommissioningRequest
    ) async throws(CommunicationError) -> CommissioningRequestID {
        let number: Int? = state.withLock { state in
            state.requests.append(request)
            let reply = state.script(request, &state)
            if case .notSent = reply { return nil }
            state.replies.append(reply)
            return state.replies.count - 1
        }
        guard let number else { throw Self.away }
        return CommissioningRequestID(String(number))
    }

    func answer(to request: CommissioningRequestID) async -> CommissioningAnswer? {
        let waited = state.withLock { $0.waited }
        waited?()
        let reply = state.withLock { state in
            Int(request.text).map { state.replies[$0] }
        }
        switch reply {
        case .answer(let answer)?: return Task.isCancelled ? nil : answer
        case .silence?, .notSent?, nil:
            while !Task.isCancelled { await clock.sleep(for: .seconds(1)) }
            return nil
        }
    }

    func forget(_ request: CommissioningRequestID) async {}
}

extension CommissioningWorld: CommissioningRepository {
    func latest(
        of label: String, on channel: ChannelID, in home: HomeID
    ) async throws(ProvisioningError) -> CommissioningRecord? {
        state.withLock { state in
            let known = state.records.filter {
                $0.label == label && $0.channel == channel && $0.home == home
            }
            return known.last { $0.step != .rolledBack } ?? known.last
        }
    }

    func add(_ record: CommissioningRecord) async throws(ProvisioningError) {
        state.withLock { $0.records.append(record) }
    }

    func update(_ record: CommissioningRecord) async throws(ProvisioningError) {
        let isKnown = state.withLock { state in
            let index = state.records.firstIndex {
                $0.attempt == record.attempt && $0.revision == record.revision - 1
            }
            guard let index, state.failsUpdate != record.step else { return false }
            state.records[index] = record
            return true
        }
        guard isKnown else { throw ProvisioningError(.otherProcess, "taken over", .runAgain) }
    }
}
