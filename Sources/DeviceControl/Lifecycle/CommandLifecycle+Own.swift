internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandLifecycle {
    /// What a command has of its own while it waits. In the rest the commands of one name that wait for one
    /// device are equal.
    struct Own: Hashable {
        let id: CommandID
        let cause: String?
        var arguments: JSONObject
        let issuedAt: Timestamp
        let expiresAt: Timestamp
        let createdAt: Timestamp
        let expiry: Duration
        let step: Int
        let resends: ResendSchedule
    }

    /// What the command has of its own.
    var own: Own {
        Own(
            id: intent.id, cause: intent.cause, arguments: intent.arguments,
            issuedAt: intent.issuedAt, expiresAt: intent.expiresAt,
            createdAt: progress.timings.createdAt, expiry: expiry, step: progress.step,
            resends: resends)
    }

    /// A command that is as this one, apart from what it has of its own.
    func with(_ own: Own) -> CommandLifecycle {
        var copy = self
        copy.intent.id = own.id
        copy.intent.cause = own.cause
        copy.intent.arguments = own.arguments
        copy.intent.issuedAt = own.issuedAt
        copy.intent.expiresAt = own.expiresAt
        copy.progress.timings.createdAt = own.createdAt
        copy.progress.step = own.step
        copy.expiry = own.expiry
        copy.resends = own.resends
        return copy
    }
}
