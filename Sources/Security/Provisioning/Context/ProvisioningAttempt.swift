internal import Connectivity
internal import DeviceDomain

/// What every attempt has in common: it owns a state machine, does what that asks for, tells it how that ended, and
/// reports the states.
protocol ProvisioningAttempt: Actor {
    /// Where the attempt stands.
    var machine: ProvisioningStateMachine { get set }
    /// Which attempt it is.
    var attempt: ProvisioningAttemptID { get }
    /// What is waited by.
    var clock: any ProvisioningClock { get }
    /// The time of the clock at which the attempt began in this process.
    var origin: Duration { get }
    /// Takes the events.
    var source: StreamSource<ProvisioningEvent> { get }

    /// The time of one try of an action; `nil` where there is nothing to do.
    func limit(of action: ProvisioningAction) -> Duration?
    /// Does what the machine asks for.
    func perform(_ action: ProvisioningAction) async -> WorkResult
    /// Called before the machine is told how an action ended.
    func willTake(_ result: WorkResult)
    /// Why an action did not end in time.
    func error(afterTimeOf action: ProvisioningAction) -> ProvisioningError
    /// How an action ended, as text.
    func cause(of result: WorkResult) -> String
}

extension ProvisioningAttempt {
    /// How long the attempt has run in this process.
    var elapsed: Duration { clock.elapsed - origin }

    /// Does what the machine asks for until it has ended.
    func workToEnd() async -> ProvisioningEnding {
        while true {
            let former = machine.state
            if case .end(let ending) = machine.action { return ending }
            let cause = await work(on: machine.action)
            report(former, cause)
        }
    }

    /// Does what the machine asks for, and tells it how that ended.
    /// - Returns: how, as text.
    private func work(on action: ProvisioningAction) async -> String {
        guard let limit = limit(of: action) else { return "" }
        let clock = clock
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
        let error = error(afterTimeOf: action)
        _ = machine.timedOut(error)
        return error.message
    }

    private func take(_ result: WorkResult) -> String {
        willTake(result)
        switch result {
        case .foundAccessPoint: _ = machine.foundAccessPoint()
        case .foundInHome: _ = machine.foundInHome()
        case .connected: _ = machine.connected()
        case .connectedWhileJoining: _ = machine.connectedWhileJoining()
        case .sent: _ = machine.sent()
        case .retry(let error): _ = machine.retry(after: error)
        case .committed: _ = machine.committed()
        case .rolledBack: _ = machine.rolledBack()
        case .failed(let error): _ = machine.failed(error)
        case .undecided(let error): _ = machine.timedOut(error)
        }
        return cause(of: result)
    }

    // MARK: Events

    /// The attempt is in its first state.
    func reportBeginning(_ cause: String) {
        source.send(
            .transition(
                ProvisioningTransition(
                    attempt: attempt, from: nil, to: .scanning, cause: cause, elapsed: elapsed)))
    }

    private func report(_ former: ProvisioningState, _ cause: String) {
        switch machine.state {
        case .rollingBack, .ended: return
        case .scanning, .connectingToDeviceAP, .sendingWiFiCredentials,
            .confirmingCloudConnection, .finalizing:
            source.send(
                .transition(
                    ProvisioningTransition(
                        attempt: attempt, from: former.phase, to: machine.state.phase,
                        cause: cause, elapsed: elapsed)))
        }
    }
}
