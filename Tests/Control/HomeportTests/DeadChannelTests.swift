import Homeport
import HomeportTesting
import Synchronization
import Testing

/// A home of which one channel is down.
@Suite(.timeLimit(.minutes(1))) struct DeadChannelTests {
    private let here: ScriptedChannel
    private let attic: CountedChannel

    init() throws {
        here = ScriptedChannel(id: try ChannelID("mqtt"))
        attic = CountedChannel(ScriptedChannel(id: try ChannelID("attic"), connected: false))
    }

    private func withHome(_ body: (Home) async throws -> Void) async throws {
        let configuration = HomeConfiguration(
            home: try HomeID("home-1"), channels: [ChannelSetup(here), ChannelSetup(attic)],
            ledger: .memory, takesOverOpenCommands: false)
        try await Homeport.withHome(configuration, body)
    }

    /// A verb looks at the home more than once, and each look would wait for the whole timeout.
    @Test func itIsWaitedForOnce() async throws {
        try await withHome { home in
            for _ in 1...3 {
                let survey = try await home.survey()
                #expect(Array(survey.failures.keys) == [attic.id])
            }
            #expect(attic.opens == 1)
        }
    }

    @Test func whereAllAreDownEachIsNamed() async throws {
        let other = ScriptedChannel(id: try ChannelID("cellar"), connected: false)
        let configuration = HomeConfiguration(
            home: try HomeID("home-1"), channels: [ChannelSetup(other), ChannelSetup(attic)],
            ledger: .memory, takesOverOpenCommands: false)
        try await Homeport.withHome(configuration) { home in
            let error = await #expect(throws: HomeError.self) { try await home.survey() }
            #expect(error?.code == .noConnection)
            for name in ["attic", "cellar"] {
                #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
            }
        }
    }

    @Test func itCountsAgainOnceItConnects() async throws {
        try await withHome { home in
            _ = try await home.survey()
            attic.inner.restoreLink()
            for await change in home.linkChanges() {
                if case .link(attic.id, .connected) = change { break }
            }
            let survey = try await home.survey()
            #expect(survey.failures.isEmpty)
        }
    }
}

/// A scripted channel that counts how often it is opened.
private final class CountedChannel: CommunicationChannel {
    let inner: ScriptedChannel
    private let count = Atomic(0)

    init(_ inner: ScriptedChannel) { self.inner = inner }

    var opens: Int { count.load(ordering: .relaxed) }
    var id: ChannelID { inner.id }
    var kind: ChannelKind { inner.kind }
    var traits: ChannelTraits { inner.traits }

    func open() async throws(CommunicationError) {
        count.add(1, ordering: .relaxed)
        try await inner.open()
    }

    func close() async { await inner.close() }

    func service(for device: DeviceID, in home: HomeID) -> any CommunicationService {
        inner.service(for: device, in: home)
    }

    func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        inner.observe(home, scope, sink)
    }

    func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        try await inner.replay(home, scope, known: known)
    }

    func linkStates() -> LinkStates { inner.linkStates() }
}
