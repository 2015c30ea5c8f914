internal import Basics
public import Connectivity
internal import DeviceDomain
internal import Keychain
internal import ProvisioningProtocol

/// Brings one boxed device into a home: it owns the state machine, and does what that asks for.
///
/// Cancel the task that runs it to take the attempt back. A process that is killed leaves a record, with
/// which the next one goes on.
public actor ProvisioningContext: ProvisioningAttempt {
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
    let source: StreamSource<ProvisioningEvent>
    let origin: Duration

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
        var generator = SystemGenerator()
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

    var attempt: ProvisioningAttemptID { record.attempt }
    var clock: any ProvisioningClock { parts.clock }

    func limit(of action: ProvisioningAction) -> Duration? { parts.timeouts.limit(of: action) }

    private func ending() async -> ProvisioningEnding {
        if let error = ProvisioningError(unusable: order.password) { return .failed(error) }
        do throws(AttemptStartError) {
            guard try await begin() == .open else { return .provisioned }
        } catch {
            return error.ending
        }
        reportBeginning(record.beginning)
        if let error = await keepPassword() { _ = machine.failed(error) }
        let ending = await workToEnd()
        await forgetUndecided(ending)
        return ending
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

    func perform(_ action: ProvisioningAction) async -> WorkResult {
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

    func willTake(_ result: WorkResult) {
        if result == .foundInHome { order.code = order.code.withoutProof }
    }

    func error(afterTimeOf action: ProvisioningAction) -> ProvisioningError {
        let looksForDevice = action == .find || action == .confirm
        return looksForDevice ? lastMiss ?? .timedOut(action) : .timedOut(action)
    }

    func cause(of result: WorkResult) -> String { result.cause }

    func notify(_ error: ProvisioningError) { source.send(.notice(error)) }
}
