internal import Automation
internal import Basics
public import DeviceControl
internal import DeviceDomain
internal import Dispatch
internal import LedgerRows

/// The database that holds the ledger of many processes on many machines: a few connections to PostgreSQL.
///
/// Every commit survives a power cut. A connection that is lost is made again and the work is done again; where it was
/// lost during a commit, the server is asked whether the transaction was committed. Transactions that wait at the same
/// time share one commit.
public final class PostgresDatabase: Sendable {
    /// How many transactions share a commit at most.
    private static let longestGroup = 64

    /// Where it is.
    public let address: PostgresAddress
    /// The homes that this process owns.
    let held = HeldHomes()
    /// The schedules of homes that an instance looks at.
    let schedules = KeptRows<Schedule>()
    /// The rules of such homes.
    let rules = KeptRows<Rule>()
    /// The last numbers of the logs of such homes that have open commands, at the latest look.
    private let logEnds = Guarded<[HomeKey: Int]>([:])
    let limits: PostgresLimits
    /// Hears what is left to the owners of homes.
    let listener: PostgresListener
    private let pool: PostgresPool
    private let writers: Int
    private let writing = Guarded(Writing())

    private struct Writing {
        /// The transactions that wait, in the order in which they came.
        var waiting: [PostgresWrite] = []
        /// How many connections work on them.
        var writers = 0
    }

    /// Opens a database, and makes the tables where there are none. It blocks the caller.
    /// - Parameters:
    ///   - address: where it is.
    ///   - writers: how many connections write at the same time; two more read.
    /// - Throws: ``LedgerError``: `unreachable`, `newerSchema`, `foreign`, `unwritable`.
    public static func open(
        _ address: PostgresAddress, writers: Int = 2
    ) throws(LedgerError) -> PostgresDatabase {
        try PostgresDatabase(address, PostgresLimits(), writers: writers)
    }

    /// Whether a database has the tables of a ledger. It makes none.
    /// - Throws: ``LedgerError``: `unreachable`, `newerSchema`.
    public static func hasTables(at address: PostgresAddress) async throws(LedgerError) -> Bool {
        let database = PostgresDatabase(unopened: address, PostgresLimits(), writers: 0)
        defer { database.close() }
        return try await database.read { connection in try PostgresSetup(connection).hasTables() }
    }

    init(unopened address: PostgresAddress, _ limits: PostgresLimits, writers: Int) {
        self.address = address
        self.limits = limits
        self.writers = writers
        pool = PostgresPool(address, limits, size: writers + 2)
        listener = PostgresListener(address, limits)
    }

    /// As ``open(_:writers:)``, with other limits.
    package convenience init(
        _ address: PostgresAddress, _ limits: PostgresLimits, writers: Int = 2
    ) throws(LedgerError) {
        self.init(unopened: address, limits, writers: writers)
        try now { connection in try PostgresSetup(connection).bringUpToDate() }
    }

    /// Where the logs of homes ended when an instance looked.
    func noteLogEnds(_ ends: [HomeID: Int], of controller: ControllerID) {
        let pairs = ends.map { (HomeKey(controller, $0.key), $0.value) }
        logEnds.withLock { $0 = Dictionary(pairs) { $1 } }
    }

    /// The last number of the log of a home at the latest look; `nil` where nobody has looked, or it had no open command.
    func logEnd(of home: HomeKey) -> Int? { logEnds.withLock { $0[home] } }

    /// Ends the connections. No other call may follow.
    public func close() {
        listener.close()
        pool.close()
    }

    // MARK: Access

    /// Reads, in whatever transactions `body` makes.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws(LedgerError) -> Value {
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            pool.enqueue { [self] connection in
                continuation.resume(returning: Result { try repeating(on: connection, body) })
            }
        }
        return try explaining { try result.get() }
    }

    /// The same on the caller's thread, which it blocks.
    func now<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) throws(LedgerError) -> Value {
        let end = DispatchSemaphore(value: 0)
        let result = Guarded<Result<Value, any Error>?>(nil)
        pool.enqueue { [self] connection in
            let value = Result { try repeating(on: connection, body) }
            result.withLock { $0 = value }
            end.signal()
        }
        end.wait()
        return try explaining {
            guard let value = result.withLock({ $0 }) else {
                throw LedgerError(.failed, "the ledger at \(address) gave no answer")
            }
            return try value.get()
        }
    }

    /// Runs a transaction, with what else waits. The caller's cancellation does not interrupt it: what was begun is
    /// finished, so that the caller never misses a commit.
    func write<Value: Sendable>(
        needing needs: WriteNeeds = WriteNeeds(),
        _ body: @escaping @Sendable (PostgresTransaction) throws -> Value
    ) async throws(LedgerError) -> Value {
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            let write = PostgresWrite(needs, body) { continuation.resume(returning: $0) }
            let isFree = writing.withLock { writing in
                writing.waiting.append(write)
                guard writing.writers < writers else { return false }
                writing.writers += 1
                return true
            }
            if isFree { pool.enqueue { [self] connection in writeAll(on: connection) } }
        }
        return try explaining { try result.get() }
    }

    /// Writes until nothing waits any more.
    private func writeAll(on connection: PostgresConnection) {
        while true {
            let group = writing.withLock { writing -> [PostgresWrite] in
                let group = Array(writing.waiting.prefix(Self.longestGroup))
                writing.waiting.removeFirst(group.count)
                if group.isEmpty { writing.writers -= 1 }
                return group
            }
            guard !group.isEmpty else { return }
            commit(group, on: connection)
        }
    }

    /// Runs transactions that share one commit; each is told how it ended when that is certain. Where one of them
    /// fails, each gets a commit of its own.
    private func commit(_ writes: [PostgresWrite], on connection: PostgresConnection) {
        let needs = writes.reduce(into: WriteNeeds()) { $0.formUnion($1.needs) }
        do {
            let ends = try repeating(on: connection) { connection in
                do {
                    let transaction = try PostgresTransaction(needs, held, on: connection)
                    let ends = try writes.map { try $0.run(transaction) }
                    try transaction.commit(pauses: limits.pauses)
                    return ends
                } catch {
                    PostgresTransaction.takeBack(on: connection)
                    throw error
                }
            }
            for end in ends { end() }
        } catch {
            let isShared = writes.count > 1 && !((error as? PostgresFailure)?.isLoss ?? false)
            for write in writes {
                if isShared { commit([write], on: connection) } else { write.fail(error) }
            }
        }
    }

    // MARK: Failures

    /// Does something again where another transaction was in the way or the connection was lost, a bounded number of
    /// times.
    private func repeating<Value>(
        on connection: PostgresConnection, _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        var pauses = limits.pauses[...]
        var collisions = limits.collisions
        while true {
            do {
                return try body(connection)
            } catch let failure as PostgresFailure {
                if failure.isCollision, collisions > 1 {
                    collisions -= 1
                    // So that two that were in each other's way do not meet again.
                    PostgresConnection.pause(.milliseconds(Int.random(in: 0...20)))
                } else if failure.isLoss {
                    connection.close()
                    guard let pause = pauses.popFirst() else { throw failure }
                    PostgresConnection.pause(pause)
                } else {
                    throw failure
                }
            }
        }
    }

    private func explaining<Value>(_ body: () throws -> Value) throws(LedgerError) -> Value {
        do {
            return try body()
        } catch let error as LedgerError {
            throw error
        } catch let error as PostgresFailure {
            throw error.explained(address)
        } catch let error as DamagedColumn {
            throw LedgerError(
                .corrupt, "the ledger at \(address) is damaged; restore the database from a copy",
                underlying: "column \(error.name) holds no valid value")
        } catch {
            throw LedgerError(.failed, "the ledger at \(address) failed", underlying: "\(error)")
        }
    }
}
