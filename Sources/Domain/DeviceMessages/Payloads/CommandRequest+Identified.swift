public import DeviceDomain

extension CommandRequest where Receiver: Controllable {
    /// Cancels a command of the same controller that waits or runs.
    public static func cancelCommand(_ id: CommandID) -> Self {
        Self(.cancelCommand, ["id": .string(id.text)])
    }

    /// Queries the outcomes of 1 to 100 commands of the same controller.
    /// - Throws: ``ArgumentViolation`` if there are none or too many.
    public static func queryCommands(_ ids: [CommandID]) throws(ArgumentViolation) -> Self {
        let allowed = CommandSpecification.queryableIDs
        guard allowed.contains(ids.count) else {
            throw ArgumentViolation(
                path: "ids",
                reason: "must be \(allowed.lowerBound) to \(allowed.upperBound) ids of commands")
        }
        return Self(.queryCommands, ["ids": .array(ids.map { .string($0.text) })])
    }

    /// A `commit-claim`: the device stays in the home.
    public static func commitClaim(_ nonce: ClaimNonce) -> Self {
        Self(.commitClaim, ["nonce": .string(nonce.rawValue)])
    }
}
