internal import DeviceDomain

/// How an action of an attempt ended.
enum WorkResult: Hashable, Sendable {
    /// The access point answers.
    case foundAccessPoint
    /// The device is at the broker with its claim.
    case foundInHome
    /// A session stands.
    case connected
    /// A session stands, and the device joins the network already.
    case connectedWhileJoining
    /// The device has the credentials, or may have them.
    case sent
    /// The device could not join, and may try once more.
    case retry(ProvisioningError)
    /// The claim is committed.
    case committed
    /// All was taken back.
    case rolledBack
    /// It failed.
    case failed(ProvisioningError)
    /// Nobody can know how it ended.
    case undecided(ProvisioningError)

    /// Why it failed; `nil` if it did not.
    var failure: ProvisioningError? {
        switch self {
        case .failed(let error): error
        case .foundAccessPoint, .foundInHome, .connected, .connectedWhileJoining, .sent, .retry,
            .committed, .rolledBack, .undecided:
            nil
        }
    }

    /// The same as text.
    var cause: String {
        switch self {
        case .foundAccessPoint: "the access point answers"
        case .foundInHome: "the device is at the broker"
        case .connected: "the session is protected"
        case .connectedWhileJoining: "the device has the credentials already"
        case .sent: "the device was given the credentials"
        case .retry(let error), .failed(let error), .undecided(let error): error.message
        case .committed: "the claim is committed"
        case .rolledBack: "all was taken back"
        }
    }
}

extension ProvisioningError {
    /// The time of an action is over.
    static func timedOut(_ action: ProvisioningAction) -> ProvisioningError {
        switch action {
        case .find:
            ProvisioningError(
                .noAccessPoint, "the device's access point was not found", .pressReset)
        case .connect:
            ProvisioningError(.timedOut, "the device did not open a session in time", .pressReset)
        case .send:
            ProvisioningError(
                .timedOut, "the device did not take the credentials in time", .pressReset)
        case .confirm:
            ProvisioningError(
                .notSeen, "the device was not seen at the broker in time", .runAgain)
        case .commit:
            ProvisioningError(.timedOut, "the device did not answer the commit in time", .runAgain)
        case .rollBack, .end:
            ProvisioningError(.timedOut, "not all could be taken back in time", .runAgain)
        }
    }
}
