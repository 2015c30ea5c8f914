internal import Basics
public import Connectivity
internal import DeviceDomain
internal import Keychain
internal import MatterAdapter
internal import ProvisioningProtocol

/// Brings one Matter device onto a server: it owns the state machine, and does what that asks for.
///
/// The server is asked to commission the device once. Where its answer is lost, the server's nodes show what became of
/// it. Cancel the task that runs it to take the attempt back. A process that is killed leaves a record, with which the
/// next one goes on.
public actor CommissioningContext: ProvisioningAttempt {
    /// What happened, in order; an attempt has far fewer events than are buffered.
    public nonisolated let events: BoundedStream<ProvisioningEvent>

    let parts: CommissioningParts
    var order: CommissioningOrder
    var machine = ProvisioningStateMachine()
    var record: CommissioningRecord
    /// The request to commission the device, once this process has sent it.
    var request: CommissioningRequestID?
    /// How the server brings devices in.
    var means: CommissioningMeans?
    /// Why it is not known what became of the request.
    var lastMiss: ProvisioningError?
    let source: StreamSource<ProvisioningEvent>
    let origin: Duration

    /// An attempt that has not begun.
    /// - Throws: ``ProvisioningError`` `keychain`.
    package init(
        _ order: CommissioningOrder, with parts: CommissioningParts
    ) async throws(ProvisioningError) {
        (events, source) = BoundedStream.make(.dropNewest(limit: 256))
        self.order = order
        self.parts = parts
        origin = parts.clock.elapsed
        let key = try await LabelKey.key(in: parts.keychain)
        var generator = SystemGenerator()
        record = CommissioningRecord(
            attempt: .random(using: &generator), home: order.home, channel: order.channel,
            label: order.code.label(key: key), startedAt: parts.now())
    }

    /// Runs the attempt to its end.
    public func run() async -> CommissioningResult {
        let ending = await ending()
        if let request { await parts.server.forget(request) }
        source.finish()
        return CommissioningResult(
            attempt: record.attempt, device: device, ending: ending, elapsed: elapsed)
    }

    private var device: DeviceID? {
        guard record.step != .rolledBack, let node = record.node else { return nil }
        return CommissionedNode(id: node).device(on: record.channel)
    }

    private func ending() async -> ProvisioningEnding {
        if let password = order.wiFi?.password, let error = ProvisioningError(unusable: password) {
            return .failed(error)
        }
        do throws(AttemptStartError) {
            guard try await begin() == .open else { return .provisioned }
        } catch {
            return error.ending
        }
        reportBeginning(record.beginning)
        return await workToEnd()
    }

    // MARK: What every attempt has

    var attempt: ProvisioningAttemptID { record.attempt }
    var clock: any ProvisioningClock { parts.clock }

    func limit(of action: ProvisioningAction) -> Duration? { parts.timeouts.limit(of: action) }

    func perform(_ action: ProvisioningAction) async -> WorkResult {
        do throws(ProvisioningError) {
            switch action {
            case .find: return try await find()
            case .connect: return await connect()
            case .send: return try await sendRequest()
            case .confirm: return try await confirm()
            case .commit: return try await finish()
            case .rollBack: return try await rollBack()
            case .end: return .rolledBack
            }
        } catch {
            return .failed(error)
        }
    }

    func willTake(_ result: WorkResult) {}

    func error(afterTimeOf action: ProvisioningAction) -> ProvisioningError {
        switch action {
        case .find, .connect, .send:
            ProvisioningError(
                .timedOut, "the Matter server \(parts.address) did not answer in time", .checkServer
            )
        case .confirm:
            lastMiss
                ?? ProvisioningError(
                    .timedOut, "the Matter server has not said yet what became of the device",
                    .runAgain)
        case .commit:
            ProvisioningError(
                .timedOut, "the Matter server did not list the device in time", .runAgain)
        case .rollBack, .end:
            ProvisioningError(
                .timedOut,
                "the Matter server has begun to bring the device in, and did not end in time to take it back",
                .runAgain)
        }
    }

    func cause(of result: WorkResult) -> String {
        switch result {
        case .foundAccessPoint: "the Matter server answers"
        case .foundInHome: "the device is \(device?.text ?? "a node") of the Matter server"
        case .connected, .connectedWhileJoining:
            searchesNetworkOnly
                ? "the server looks for the device in its network"
                : "the server looks for the device by Bluetooth and in its network"
        case .sent: "the Matter server was asked to bring the device in"
        case .committed: "the device is listed"
        case .retry, .failed, .undecided, .rolledBack: result.cause
        }
    }

    /// Whether the device is not looked for by Bluetooth. A server without a radio refuses to do so.
    var searchesNetworkOnly: Bool { order.networkOnly || means?.hasBluetooth != true }

    func notify(_ error: ProvisioningError) { source.send(.notice(error)) }
}
