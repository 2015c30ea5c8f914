internal import DeviceDomain

/// The rules of provisioning: a value without clock and I/O.
///
/// Each method takes one event and returns what is to be done next. An event that does not belong to the
/// state, such as one that came late, changes nothing and returns the action of the state again.
public struct ProvisioningStateMachine: Hashable, Sendable {
    /// How often a device is connected to, and given credentials, before that counts as failed.
    public static let mostTries = 3

    /// Where the attempt stands.
    public private(set) var state: ProvisioningState

    /// An attempt that begins, or goes on after the process that made it has ended.
    public init(_ resumePoint: ProvisioningTries.ResumePoint = .boxed) {
        state = .scanning(ProvisioningTries(resumePoint))
    }

    /// What is to be done in the present state.
    public var action: ProvisioningAction {
        switch state {
        case .scanning: .find
        case .connectingToDeviceAP: .connect
        case .sendingWiFiCredentials: .send
        case .confirmingCloudConnection: .confirm
        case .finalizing: .commit
        case .rollingBack: .rollBack
        case .ended(_, let ending): .end(ending)
        }
    }

    // MARK: What went well

    /// The access point of the device answers.
    public mutating func foundAccessPoint() -> ProvisioningAction {
        guard case .scanning(let tries) = state else { return action }
        return connect(tries)
    }

    /// The device shows itself in the home with the claim of this attempt: while scanning because an earlier
    /// process has brought it there.
    public mutating func foundInHome() -> ProvisioningAction {
        switch state {
        case .scanning, .confirmingCloudConnection: enter(.finalizing)
        case .connectingToDeviceAP, .sendingWiFiCredentials, .finalizing, .rollingBack, .ended:
            action
        }
    }

    /// A session stands, and the device waits for credentials.
    public mutating func connected() -> ProvisioningAction {
        guard case .connectingToDeviceAP(let tries) = state else { return action }
        return send(tries)
    }

    /// A session stands, and the device has the credentials of this attempt already.
    public mutating func connectedWhileJoining() -> ProvisioningAction {
        guard case .connectingToDeviceAP(let tries) = state else { return action }
        return enter(.confirmingCloudConnection(tries))
    }

    /// The device has the credentials, or may have them because the answer was lost.
    public mutating func sent() -> ProvisioningAction {
        guard case .sendingWiFiCredentials(var tries) = state else { return action }
        tries.resumePoint = .perhapsInHome
        return enter(.confirmingCloudConnection(tries))
    }

    /// The device could not join the network, and is to try again with the credentials that there are now.
    public mutating func retry(after error: ProvisioningError) -> ProvisioningAction {
        guard case .confirmingCloudConnection(var tries) = state else { return action }
        guard tries.sendings < Self.mostTries else { return giveUp(error) }
        tries.resumePoint = .boxed
        return send(tries)
    }

    /// The device has committed the claim.
    public mutating func committed() -> ProvisioningAction {
        guard case .finalizing = state else { return action }
        return enter(.ended(.finalizing, .provisioned))
    }

    /// All was taken back.
    public mutating func rolledBack() -> ProvisioningAction {
        guard case .rollingBack(let phase, let ending) = state else { return action }
        return enter(.ended(phase, ending))
    }

    // MARK: What went wrong

    /// The action failed. Whether another try makes sense is a property of the error.
    public mutating func failed(_ error: ProvisioningError) -> ProvisioningAction {
        // What is to be taken back belongs to the other process now.
        if error.code == .otherProcess { return endUndecided(error) }
        switch state {
        case .scanning(let tries): return giveUpScanning(tries, error)
        case .connectingToDeviceAP(let tries):
            if error.mayPass, tries.connections < Self.mostTries { return connect(tries) }
            return giveUpConnecting(tries, error)
        case .sendingWiFiCredentials(var tries):
            guard error.mayPass, tries.sendings < Self.mostTries else { return giveUp(error) }
            tries.connections = 0
            return connect(tries)
        case .confirmingCloudConnection: return giveUp(error)
        case .finalizing:
            return error.code == .commitRefused ? giveUp(error) : endUndecided(error)
        case .rollingBack: return endUndecided(error)
        case .ended: return action
        }
    }

    /// The time of the state is over, and nothing is known of how the action would have ended.
    public mutating func timedOut(_ error: ProvisioningError) -> ProvisioningAction {
        switch state {
        case .confirmingCloudConnection, .finalizing: endUndecided(error)
        case .scanning, .connectingToDeviceAP, .sendingWiFiCredentials, .rollingBack, .ended:
            failed(error)
        }
    }

    /// The user takes the attempt back. While it is finalized that comes too late.
    public mutating func cancelled() -> ProvisioningAction {
        switch state {
        case .scanning, .connectingToDeviceAP, .sendingWiFiCredentials,
            .confirmingCloudConnection:
            enter(.rollingBack(state.phase, .cancelled))
        case .finalizing, .rollingBack, .ended: action
        }
    }

    // MARK: Inside

    private mutating func enter(_ next: ProvisioningState) -> ProvisioningAction {
        state = next
        return action
    }

    private mutating func connect(_ tries: ProvisioningTries) -> ProvisioningAction {
        var tries = tries
        tries.connections += 1
        return enter(.connectingToDeviceAP(tries))
    }

    private mutating func send(_ tries: ProvisioningTries) -> ProvisioningAction {
        var tries = tries
        tries.sendings += 1
        return enter(.sendingWiFiCredentials(tries))
    }

    private mutating func giveUp(_ error: ProvisioningError) -> ProvisioningAction {
        enter(.rollingBack(state.phase, .failed(error)))
    }

    private mutating func endUndecided(_ error: ProvisioningError) -> ProvisioningAction {
        if case .ended = state { return action }
        return enter(.ended(state.phase, .unknown(error)))
    }

    /// A device that may be in the home is not given up because nothing is heard of it.
    private mutating func giveUpScanning(
        _ tries: ProvisioningTries, _ error: ProvisioningError
    ) -> ProvisioningAction {
        switch tries.resumePoint {
        case .boxed: giveUp(error)
        case .perhapsInHome: endUndecided(error)
        }
    }

    private mutating func giveUpConnecting(
        _ tries: ProvisioningTries, _ error: ProvisioningError
    ) -> ProvisioningAction {
        switch tries.resumePoint {
        case .perhapsInHome where error.mayPass: enter(.confirmingCloudConnection(tries))
        case .boxed, .perhapsInHome: giveUp(error)
        }
    }
}
