package import DeviceControl
internal import DeviceDomain
internal import Dispatch
internal import MQTTClient
internal import PostgresPersistence

/// What the homes of an instance share: the thread of their connections, the connections, the ledger and the ownership
/// of homes.
final class HomeSharing: Sendable {
    let eventLoop: MQTTEventLoop
    let database: PostgresDatabase
    let ownership: HomeOwnership
    let channels = SharedChannels()

    private init(
        _ eventLoop: MQTTEventLoop, _ database: PostgresDatabase, _ ownership: HomeOwnership
    ) {
        self.eventLoop = eventLoop
        self.database = database
        self.ownership = ownership
    }

    /// Opens the ledger of a configuration, on a thread that may block.
    /// - Throws: ``HomeError`` `configuration` for a ledger that is not in PostgreSQL; `ledger`, `ledgerUnreachable`,
    ///   `failed`.
    static func open(
        _ configuration: HomeConfiguration, _ plan: InstancePlan
    ) async throws(HomeError) -> HomeSharing {
        guard let url = try configuration.ledger.url() else {
            throw HomeError(
                .configuration,
                "several homes are shared out by a ledger in PostgreSQL alone: name it with "
                    + "--database postgresql://USER@HOST/DATABASE, or serve one home with --home ID"
            )
        }
        let address = try PostgresAddress(ofLedger: url)
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Result { () throws(LedgerError) in
                        try PostgresDatabase.open(address)
                    })
            }
        }
        do {
            let database = try result.get()
            let eventLoop = try MQTTEventLoop(label: "homeport", logger: configuration.logger)
            return HomeSharing(
                eventLoop, database,
                HomeOwnership(
                    database, named: plan.name ?? HomeOwnership.nameOfProcess, lease: plan.lease,
                    serving: HomeOwnership.Serving(of: configuration.controller, plan.homes),
                    clock: configuration.clock))
        } catch {
            throw HomeError(wrapping: error, as: .failed)
        }
    }

    /// Gives up every home, and ends the connections.
    func end() async {
        // Where it fails, the homes are free when the lease is over.
        try? await ownership.release()
        database.close()
        await eventLoop.shutdown()
    }
}

/// Which homes an instance drives, and how.
package struct InstancePlan: Sendable {
    /// Which homes it takes its share of.
    package var homes: ServedHomes
    /// What people call it; `nil` for the machine and the number of the process.
    package var name: String?
    /// How long others wait for it, after it was heard for the last time.
    package var lease: Duration
    /// How long it keeps what happens in its homes; `nil` where it keeps nothing.
    package var keptTelemetry: Duration?

    package init(
        homes: ServedHomes, name: String? = nil, lease: Duration = .seconds(3),
        keptTelemetry: Duration? = nil
    ) {
        self.homes = homes
        self.name = name
        self.lease = lease
        self.keptTelemetry = keptTelemetry
    }
}
