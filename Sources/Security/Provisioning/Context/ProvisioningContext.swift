public import Connectivity
internal import DeviceDomain
internal import Keychain
internal import ProvisioningProtocol

/// Brings one boxed device into a home: it owns the state machine, and does what that asks for.
///
/// Cancel the task that runs it to take the attempt back. A process that is killed leaves a record, with
/// which the next one goes on.
public actor ProvisioningContext {
    /// What happened, in order; an attempt has far fewer events than are buffered.
    public nonisolated let events: BoundedStream<ProvisioningEvent>

    let parts: ProvisioningParts
    var order: ProvisioningOrder
    var machine = ProvisioningStateMachine()
    var record: ProvisioningRecord
    var session: BoxedDeviceSession?
    /// Why the device was not found or seen when it was last looked for.
    var lastMiss: ProvisioningError?
    /// Whether the network has a password.
    let hasPassword: Bool
    private let source: StreamSource<ProvisioningEvent>
    private let origin: Duration

    /// An attempt that has not begun.
    /// - Throws: ``ProvisioningError`` `nameTaken` if no name for the device can be made.
    package init(
        _ order: ProvisioningOrder, with parts: ProvisioningParts
    ) throws(ProvisioningError) {
        (events, source) = BoundedStream.make(.dropNewest(limit: 256))
        self.order = order
        self.parts = parts
        hasPassword = order.password.count > 0
        origin = parts.clock.elapsed
        var generator = SystemRandomNumberGenerator()
        record = ProvisioningRecord(
            attempt: .random(using: &generator), home: order.home, label: order.code.name,
            device: try order.deviceName(), startedAt: parts.now())
    }

    /// Runs the attempt to its end.
    public func run() async -> ProvisioningResult {
        let ending = await ending()
        await parts.joiner.leave(record.label)
        source.finish()
        return ProvisioningResult(
            attempt: record.attempt, device: record.device, ending: ending, elapsed: elapsed)
    }

    private var elapsed: Duration { parts.clock.elapsed - origin }

    private func ending() async -> ProvisioningEnding {
        if let error = ProvisioningError(unusable: order.password) { return .failed(error) }
        do throws(AttemptStartError) {
            guard try await begin() == .open else { return .provisioned }
        } catch {
            return error.ending
        }
        send(
            ProvisioningTransition(
                attempt: record.attempt, from: nil, to: .scanning, cause: record.beginning,
                elapsed: elapsed))
        if let error = await keepPassword() { _ = machine.failed(error) }
        while true {
            let former = machine.state
            if case .end(let ending) = machine.action {
                await forgetUndecided(ending)
                return ending
            }
            let cause = await work(on: machine.action)
            report(former, cause)
        }
    }

    /// An attempt that is left open keeps no password: the next process is given it again.
    private func forgetUndecided(_ ending: ProvisioningEnding) async {
        switch ending {
        case .provisioned, .failed, .cancelled: return
        case .unknown(let error) where error.code == .otherProcess: return
        case .unknown:
            if let error = await forgetPassword() { source.send(.notice(error)) }
        }
    }

    // MARK: One action

    /// Does what the machine asks for, and tells it how that ended.
    /// - Returns: how, as text.
    private func work(on action: ProvisioningAction) async -> String {
        guard let limit = parts.timeouts.limit(of: action) else { return "" }
        let clock = parts.clock
        let work: @Sendable () async -> (WorkResult?, RaceEnd) = {
            let (value, end) = await race(within: limit, by: clock) { await self.perform(action) }
            return (value, end)
        }
        let (result, end): (WorkResult?, RaceEnd)
        switch action {
        case .find, .connect, .send, .confirm:
            (result, end) = await work()
            if Task.isCancelled {
                _ = machine.cancelled()
                return "cancelled"
            }
        case .commit, .rollBack:
            // These must not be left half done: they go on when the attempt is cancelled.
            (result, end) = await Task { await work() }.value
        case .end: return ""
        }
        let failure = result?.failure
        guard end == .timedOut, failure != nil || result == nil else {
            return take(result ?? .failed(.timedOut(action)))
        }
        let looksForDevice = action == .find || action == .confirm
        let error = looksForDevice ? lastMiss ?? .timedOut(action) : .timedOut(action)
        _ = machine.timedOut(error)
        return error.message
    }

    private func perform(_ action: ProvisioningAction) async -> WorkResult {
        do throws(ProvisioningError) {
            switch action {
            case .find: return try await find()
            case .connect: return try await connect()
            case .send: return try await sendCredentials()
            case .confirm: return try await confirm()
            case .commit: return try await commit()
            case .rollBack: return try await rollBack()
            case .end: return .rolledBack
            }
        } catch {
            return .failed(error)
        }
    }

    private func take(_ result: WorkResult) -> String {
        switch result {
        case .foundAccessPoint: _ = machine.foundAccessPoint()
        case .foundInHome:
            order.code = order.code.withoutProof
            _ = machine.foundInHome()
        case .connected: _ = machine.connected()
        case .connectedWhileJoining: _ = machine.connectedWhileJoining()
        case .sent: _ = machine.sent()
        case .retry(let error): _ = machine.retry(after: error)
        case .committed: _ = machine.committed()
        case .rolledBack: _ = machine.rolledBack()
        case .failed(let error): _ = machine.failed(error)
        }
        return result.cause
    }

    // MARK: Events

    private func report(_ former: ProvisioningState, _ cause: String) {
        switch machine.state {
        case .rollingBack, .ended: return
        case .scanning, .connectingToDeviceAP, .sendingWiFiCredentials,
            .confirmingCloudConnection, .finalizing:
            send(
                ProvisioningTransition(
                    attempt: record.attempt, from: former.phase, to: machine.state.phase,
                    cause: cause, elapsed: elapsed))
        }
    }

    private func send(_ transition: ProvisioningTransition) { source.send(.transition(transition)) }

    func notify(_ error: ProvisioningError) { source.send(.notice(error)) }
}
