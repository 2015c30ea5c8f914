internal import Basics
public import DeviceControl
public import DeviceDomain
internal import DeviceMessages
internal import LedgerRows

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Which homes this process owns: who owns a home sends its commands, nobody else.
///
/// The database decides, by its own clock. A process that begins gets a row with a lease, which it renews; while the
/// lease lasts, no other process can take its homes. Each new owner of a home gets the next epoch, and every write of an
/// owner names it, so that a process that was stopped for a while and does not know of its successor writes nothing.
public final class HomeOwnership: Sendable {
    /// What taking a home came to.
    public enum Taking: Hashable, Sendable {
        /// It belongs to this process now; the number counts its owners.
        case taken(epoch: Int)
        /// Another instance owns it, for so many milliseconds more unless it renews its lease.
        case held(by: String, milliseconds: Int)
    }

    /// What people call this process.
    public let name: String
    /// How long others wait for it, after it was heard for the last time.
    public let lease: Duration
    private let database: PostgresDatabase
    private let clock: any CommandClock
    private let state = Guarded(State())

    private struct State {
        /// The row of this process, once it has one.
        var instance: Int?
        /// Until when it may act, by its own clock.
        var end = Duration.zero
        /// Why the lease was not extended the last time.
        var failure: LedgerError?
    }

    /// - Parameters:
    ///   - name: what people call this process; two processes may have the same name and are two instances.
    ///   - lease: how long others wait for it.
    ///   - clock: its monotonic clock.
    public init(
        _ database: PostgresDatabase, named name: String, lease: Duration = .seconds(3),
        clock: any CommandClock = MachineClock()
    ) {
        self.database = database
        self.name = name
        self.lease = lease
        self.clock = clock
    }

    /// Whether this process may send: it was confirmed a short time ago that its lease lasts. It says no before others
    /// may take its homes, whatever the clocks of machines show.
    public var maySend: Bool {
        let (end, now) = (state.withLock { $0.end }, clock.now.elapsed)
        return now < end
    }

    /// Why the lease could not be extended when that was tried last; `nil` where it was. Nothing is sent until it is.
    public var failure: LedgerError? { state.withLock { $0.failure } }

    /// What this process is called where nobody names it: its machine and its number.
    public static var nameOfProcess: String {
        var name = [CChar](repeating: 0, count: 256)
        let isKnown = gethostname(&name, name.count - 1) == 0
        let host = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return "\(isKnown ? String(decoding: host, as: UTF8.self) : "unknown"):\(getpid())"
    }

    /// Whether this process owns a home, as far as it knows.
    public func owns(_ home: HomeID, of controller: ControllerID) -> Bool {
        database.held.tenure(of: HomeKey(controller, home)) != nil
    }

    /// The name of the instance that owns a home; `nil` where none does, or its lease is over.
    public func owner(
        of home: HomeID, of controller: ControllerID
    ) async throws(LedgerError) -> String? {
        try await database.read { connection in
            try connection.run(
                PostgresStatement(
                    """
                    SELECT name FROM home JOIN instance ON instance.number = home.instance
                    WHERE controller = $1 AND home = $2 AND expiresAt > ledgerClock()
                    """, [.text(controller.text), .text(home.text)])
            ).first?.text(0)
        }
    }

    /// Takes a home where nobody owns it, or its owner's lease is over.
    public func take(
        _ home: HomeID, of controller: ControllerID
    ) async throws(LedgerError) -> Taking {
        let key = HomeKey(controller, home)
        try await database.make([key])
        let asked = clock.now.elapsed
        let instance = try await ownInstance()
        let taking = try await database.write { [name, lease] transaction in
            try transaction.take(key, for: instance, named: name, lease: lease)
        }
        if case .taken(let epoch) = taking {
            database.held.set(HeldHomes.Tenure(epoch: epoch, instance: instance), of: key)
            note(confirmedAt: asked)
        }
        return taking
    }

    /// Extends the lease, in one statement for all homes.
    /// - Returns: the homes that belong to this process no more.
    public func renew() async throws(LedgerError) -> [(controller: ControllerID, home: HomeID)] {
        guard let instance = state.withLock({ $0.instance }) else { return [] }
        let asked = clock.now.elapsed
        let owned: [HomeKey: Int]
        do {
            owned = try await database.write { [lease] transaction in
                try transaction.renew(instance, lease: lease)
            }
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
        note(confirmedAt: asked)
        let lost = database.held.all.filter {
            $0.value.instance == instance && owned[$0.key] != $0.value.epoch
        }
        .keys.sorted()
        for home in lost { database.held.set(nil, of: home) }
        return lost.map { ($0.controller, $0.home) }
    }

    /// Gives every home up, so that others need not wait for the end of the lease.
    public func release() async throws(LedgerError) {
        guard let instance = state.withLock({ $0.instance }) else { return }
        state.withLock { $0.end = .zero }
        try await database.write { transaction in try transaction.release(instance) }
        for (home, tenure) in database.held.all where tenure.instance == instance {
            database.held.set(nil, of: home)
        }
    }

    private func ownInstance() async throws(LedgerError) -> Int {
        if let known = state.withLock({ $0.instance }) { return known }
        let new = try await database.write { [name, lease] transaction in
            try transaction.addInstance(name, lease: lease)
        }
        return state.withLock { state in
            let instance = state.instance ?? new
            state.instance = instance
            return instance
        }
    }

    /// A quarter of the lease is left for what is under way when it ends.
    private func note(confirmedAt asked: Duration) {
        state.withLock { state in
            state.end = max(state.end, asked + lease * 3 / 4)
            state.failure = nil
        }
    }
}
