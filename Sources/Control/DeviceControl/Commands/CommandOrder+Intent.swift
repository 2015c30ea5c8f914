internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandOrder {
    /// What is wanted, from now on.
    /// - Parameters:
    ///   - controller: on whose behalf.
    ///   - mayBeAway: whether the command may wait as long as the device's policy lets it wait for the device.
    ///   - revision: the revision of the device's state, where its report has none.
    ///   - now: the wall clock.
    ///   - generator: of ids.
    /// - Throws: ``ControlError`` `badLifetime`.
    func intent(
        of controller: ControllerID, mayBeAway: Bool, knowing revision: Int?, at now: Timestamp,
        _ generator: inout any RandomNumberGenerator & Sendable
    ) throws(ControlError) -> CommandIntent {
        let lifetime = try lifetime(mayBeAway: mayBeAway)
        let known = device.report.revision ?? revision
        return CommandIntent(
            id: CommandID(at: now, using: &generator), controller: controller,
            home: device.profile.home, device: device.id, name: name, arguments: arguments,
            lane: specification.lane, sort: specification.sort,
            offline: options.policy(specification.offline), issuedAt: now,
            expiresAt: now.advanced(by: lifetime),
            ifRevision: options.ifRevision ?? (specification.needsIfRevision ? known : nil),
            cause: options.cause, isDryRun: options.isDryRun)
    }

    private func lifetime(mayBeAway: Bool) throws(ControlError) -> Duration {
        let waitingTime = mayBeAway ? options.waitingTime(under: specification.offline) : nil
        let lifetime = options.lifetime ?? waitingTime ?? CommandOptions.usualLifetime
        guard CommandOptions.allowedLifetimes.contains(lifetime) else {
            throw ControlError(
                .badLifetime,
                "a command may wait for its start from 1 ms to 24 h, not \(lifetime); choose a time "
                    + "in that range")
        }
        return lifetime
    }
}
