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

    /// Whose homes an instance drives that drives several.
    package struct Serving: Hashable, Sendable {
        package let controller: ControllerID
        /// Which of them.
        package let homes: ServedHomes

        package init(of controller: ControllerID, _ homes: ServedHomes) {
            self.controller = controller
            self.homes = homes
        }
    }

    /// What people call this process.
    public let name: String
    /// How long others wait for it, after it was heard for the last time.
    public let lease: Duration
    /// Which homes this process takes its share of; `nil` where it takes a home when it needs it.
    package let serving: Serving?
    let database: PostgresDatabase
    private let clock: any CommandClock
    private let state = Guarded(State())

    private struct State {
        /// The row of this process, once it has one.
        var instance: Int?
        /// Until when it may act, by its own clock.
        var end = Duration.zero
        /// Why the lease was not extended the last time.
        var failure: LedgerError?
        /// What the clock of the database showed, and the monotonic clock at that time.
        var reading: Moment?
    }

    /// - Parameters:
    ///   - name: what people call this process; two processes may have the same name and are two instances.
    ///   - lease: how long others wait for it.
    ///   - clock: its monotonic clock.
    public convenience init(
        _ database: PostgresDatabase, named name: String, lease: Duration = .seconds(3),
        clock: any CommandClock = MachineClock()
    ) {
        self.init(database, named: name, lease: lease, serving: nil, clock: clock)
    }

    /// As ``init(_:named:lease:clock:)``, for a process that drives several homes.
    package init(
        _ database: PostgresDatabase, named name: String, lease: Duration, serving: Serving?,
        clock: any CommandClock = MachineClock()
    ) {
        self.database = database
        self.name = name
        self.serving = serving
        self.lease = lease
        self.clock = clock
    }

    /// Whether this process may send: it was confirmed a short time ago that its lease lasts. It says no before others
    /// may take its homes, whatever the clocks of machines show.
    public var maySend: Bool {
        let (end, now) = (state.withLock { $0.end }, clock.now.elapsed)
        return now < end
    }

    /// What the clock of the database shows at a time of the monotonic clock of this process; `nil` before it was heard. The
    /// difference between the two is taken anew with each renewal.
    func time(at elapsed: Duration) -> Timestamp? {
        state.withLock { $0.reading }.map { $0.wall.advanced(by: elapsed - $0.elapsed) }
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
                    SELECT instance.name FROM home JOIN instance ON instance.number = home.instance
                    WHERE home.controller = $1 AND home.home = $2
                        AND instance.expiresAt > ledgerClock()
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
        let known = database.held.all.filter { $0.value.instance == instance }
        let asked = clock.now.elapsed
        let renewed: (homes: [HomeKey: Int], time: Timestamp)?
        do {
            renewed = try await database.write { [lease] transaction in
                try transaction.renew(instance, lease: lease, knowing: known.mapValues(\.epoch))
            }
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
        let lost = known.filter { renewed?.homes[$0.key] != $0.value.epoch }
        for (home, tenure) in lost { database.held.end(tenure, of: home) }
        if let renewed {
            note(renewed.time, askedAt: asked)
            // Only now, so that nothing is sent for what is lost.
            note(confirmedAt: asked)
        } else {
            state.withLock { state in
                guard state.instance == instance else { return }
                state = State()
            }
        }
        return lost.keys.sorted().map { ($0.controller, $0.home) }
    }

    /// Gives every home up, so that others need not wait for the end of the lease. This process is forgotten.
    public func release() async throws(LedgerError) {
        guard let instance = state.withLock({ $0.instance }) else { return }
        state.withLock { $0.end = .zero }
        try await database.write { transaction in try transaction.release(instance) }
        state.withLock { if $0.instance == instance { $0.instance = nil } }
        for (home, tenure) in database.held.all where tenure.instance == instance {
            database.held.end(tenure, of: home)
        }
    }

    /// Gives a home up; does nothing where it belongs to another process.
    package func release(
        _ home: HomeID, of controller: ControllerID
    ) async throws(LedgerError) {
        let key = HomeKey(controller, home)
        guard let tenure = database.held.tenure(of: key) else { return }
        try await database.write { transaction in try transaction.release(key, tenure) }
        database.held.end(tenure, of: key)
    }

    /// The row of this process, which is made where there is none.
    func ownInstance() async throws(LedgerError) -> Int {
        if let known = state.withLock({ $0.instance }) { return known }
        let asked = clock.now.elapsed
        let new = try await database.write { [name, lease, serving] transaction in
            try transaction.addInstance(name, lease: lease, serving: serving)
        }
        note(new.time, askedAt: asked)
        return state.withLock { state in
            let instance = state.instance ?? new.number
            state.instance = instance
            return instance
        }
    }

    /// The database read its clock between the question and now.
    private func note(_ time: Timestamp, askedAt asked: Duration) {
        let reading = Moment(wall: time, elapsed: (asked + clock.now.elapsed) / 2)
        state.withLock { $0.reading = reading }
    }

    /// A quarter of the lease is left for what is under way when it ends.
    private func note(confirmedAt asked: Duration) {
        state.withLock { state in
            state.end = max(state.end, asked + lease * 3 / 4)
            state.failure = nil
        }
    }
}
