internal import DeviceDomain
internal import Homeport
internal import Provisioning

/// Brings boxed devices into the home, one at a time.
@MainActor
final class ProvisioningDesk {
    /// How an attempt stands.
    enum Status: Sendable {
        /// There is none.
        case idle
        /// It runs: the state that it is in, and what the user can do about what went wrong last.
        case running(ProvisioningPhase?, ProvisioningError?)
        /// It has ended.
        case ended(ProvisioningResult)
        /// It could not be begun.
        case impossible(String)
    }

    @Tracked private(set) var status = Status.idle
    private let home: Home
    private let tools: HomeTools
    private let requests: AsyncStream<ProvisioningRequest>
    private let tell: AsyncStream<ProvisioningRequest>.Continuation
    private var cancellation: AsyncStream<Void>.Continuation?

    init(_ home: Home, _ tools: HomeTools) {
        self.home = home
        self.tools = tools
        (requests, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether an attempt runs.
    var isRunning: Bool { if case .running = status { true } else { false } }

    /// Begins an attempt; does nothing while another one runs.
    func beginButtonTapped(_ request: ProvisioningRequest) {
        guard !isRunning else { return }
        status = .running(nil, nil)
        tell.yield(request)
    }

    /// Takes the attempt back.
    func cancelButtonTapped() { cancellation?.yield() }

    /// The result was read.
    func doneButtonTapped() { if !isRunning { status = .idle } }

    /// Runs what is begun until the task is cancelled.
    func run() async {
        for await request in requests { await attempt(request) }
    }

    private func attempt(_ request: ProvisioningRequest) async {
        let (cancelled, cancellation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        self.cancellation = cancellation
        let (events, report) = AsyncStream<ProvisioningEvent>.makeStream(
            bufferingPolicy: .bufferingNewest(16))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.provision(request, report) }
            group.addTask { for await _ in cancelled { return } }
            group.addTask {
                for await event in events { await self.note(event) }
            }
            await group.next()
            group.cancelAll()
        }
        self.cancellation = nil
    }

    private func provision(
        _ request: ProvisioningRequest, _ report: AsyncStream<ProvisioningEvent>.Continuation
    ) async {
        defer { report.finish() }
        do {
            let result = try await home.provision(
                request, authority: try tools.authority(), keychain: try tools.keychain(),
                report: { report.yield($0) })
            status = .ended(result)
        } catch {
            status = .impossible("\(error)")
        }
    }

    private func note(_ event: ProvisioningEvent) {
        guard case .running(let phase, _) = status else { return }
        switch event {
        case .transition(let transition): status = .running(transition.to, nil)
        case .notice(let error): status = .running(phase, error)
        }
    }
}
