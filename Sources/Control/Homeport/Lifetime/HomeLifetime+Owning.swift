internal import Connectivity
internal import DeviceControl
package import DeviceDomain
internal import PostgresPersistence

extension HomeLifetime {
    /// Renews the lease of the homes that this process owns, where the ledger has such a thing, until the task is
    /// cancelled.
    func renewUntilCancelled(_ clock: any CommandClock) async {
        guard let storage = try? await storage(), let ownership = storage.database.ownership else {
            return
        }
        while !Task.isCancelled {
            await clock.sleep(for: ownership.lease / 4)
            // Where it fails, the next time is soon; when the lease is over, nothing is sent.
            _ = try? await ownership.renew()
        }
    }

    /// Makes this process the owner of a home, where the ledger is shared by several machines. Elsewhere it does nothing.
    /// - Throws: ``HomeError`` `ownedElsewhere` where another instance owns it, or has taken it since; `ledger`.
    package func own(
        _ home: HomeID, of controller: ControllerID, clock: any CommandClock
    ) async throws(HomeError) {
        let storage = try await storage()
        guard let ownership = storage.database.ownership else { return }
        let taking: HomeOwnership.Taking
        do {
            taking = try await ownership.take(home, of: controller)
        } catch {
            throw HomeError(error)
        }
        if case .held(let name, _) = taking { throw .owned(home, by: name) }
    }

    /// Whether another process sends the commands of a home. Where nobody does, this one does once it has one.
    /// - Throws: ``HomeError`` `ledger`, `ledgerUnreachable`, `notRunning`.
    func isOwnedElsewhere(
        _ home: HomeID, of controller: ControllerID
    ) async throws(HomeError) -> Bool {
        guard hasSharedLedger else { return false }
        let storage = try await storage()
        guard let ownership = storage.database.ownership, !ownership.owns(home, of: controller)
        else { return false }
        // An instance that drives several homes has given this one up, or lost it.
        guard ownership.serving == nil else { return true }
        do {
            return try await ownership.owner(of: home, of: controller) != nil
        } catch {
            throw HomeError(error)
        }
    }

    /// Whether this process owns a home of a ledger that several machines share.
    func owns(_ home: HomeID, of controller: ControllerID) async -> Bool {
        guard let ownership = try? await storage().database.ownership else { return false }
        return ownership.owns(home, of: controller)
    }

    /// Whether it is certain that nobody owns a home of a ledger that has owners.
    func isOwnerless(_ home: HomeID, of controller: ControllerID) async -> Bool {
        guard let ownership = try? await storage().database.ownership else { return false }
        do {
            return try await ownership.owner(of: home, of: controller) == nil
        } catch {
            return false
        }
    }

    /// The name of the process that owns a home; `nil` where none is known, and for a ledger without owners.
    package func owner(of home: HomeID, by controller: ControllerID) async -> String? {
        let ownership = try? await storage().database.ownership
        return try? await ownership?.owner(of: home, of: controller)
    }

    /// Ends with an error when another process owns the home; else with the task.
    /// - Parameter report: is told when the database is away, with the reason, and, without one, when it is back.
    /// - Throws: ``HomeError`` `ownedElsewhere`.
    package func watchOwnership(
        of home: HomeID, of controller: ControllerID, clock: any CommandClock,
        _ report: (HomeError?) -> Void
    ) async throws(HomeError) {
        let ownership = try await storage().database.ownership
        var isAway = false
        while !Task.isCancelled {
            await clock.sleep(for: ownership.map { $0.lease / 4 } ?? .seconds(3_600))
            guard let ownership, !Task.isCancelled else { continue }
            let failure = ownership.failure
            if isAway != (failure != nil) { report(failure.map { HomeError($0) }) }
            isAway = failure != nil
            if !ownership.owns(home, of: controller) { throw .owned(home, by: nil) }
        }
    }
}

extension HomeError {
    fileprivate static func owned(_ home: HomeID, by name: String?) -> HomeError {
        HomeError(
            .ownedElsewhere,
            name.map {
                "the home \(home) belongs to the instance \($0), which sends its commands; run this "
                    + "there, or end that one"
            }
                ?? "another instance has taken the home \(home): this one was not heard for the time of its "
                + "lease; it ends, so that two do not work on one home")
    }
}
