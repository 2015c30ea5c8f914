internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages

/// A transaction that waits for a connection, and may share a commit with others.
struct PostgresWrite: Sendable {
    /// Tells the caller how the transaction ended.
    typealias End = () -> Void

    /// What it reads, so that everything is read at once.
    let needs: WriteNeeds
    /// Does the work, which may be taken back and done again. Its end tells the caller of the commit.
    let run: @Sendable (PostgresTransaction) throws -> End
    /// Tells the caller that nothing was written.
    let fail: @Sendable (any Error) -> Void

    /// - Parameter completion: called once, with the value of `body` when it is committed.
    init<Value>(
        _ needs: WriteNeeds, _ body: @escaping @Sendable (PostgresTransaction) throws -> Value,
        _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.needs = needs
        run = { transaction in
            let value = try body(transaction)
            return { completion(.success(value)) }
        }
        fail = { completion(.failure($0)) }
    }
}

/// What a transaction reads and locks before it writes.
struct WriteNeeds: Sendable {
    /// Homes whose logs it adds to; those of its commands are among them anyway.
    var homes: Set<HomeKey> = []
    /// Commands that it changes.
    var commands: Set<CommandID> = []
    /// Devices that get commands.
    var devices: Set<DeviceKey> = []
    /// Those among them of which waiting commands may be taken back.
    var superseded: Set<DeviceKey> = []
    /// Evidence that it writes if the log does not have it.
    var evidence: [LedgerEvent] = []

    mutating func formUnion(_ other: WriteNeeds) {
        homes.formUnion(other.homes)
        commands.formUnion(other.commands)
        devices.formUnion(other.devices)
        superseded.formUnion(other.superseded)
        evidence += other.evidence
    }
}

/// A home of a controller: what is owned, and what has a log.
struct HomeKey: Hashable, Sendable, Comparable {
    let controller: ControllerID
    let home: HomeID

    init(_ controller: ControllerID, _ home: HomeID) {
        self.controller = controller
        self.home = home
    }

    init(_ intent: CommandIntent) { self.init(intent.controller, intent.home) }

    /// Names it in a notification.
    var text: String { "\(controller)/\(home)" }

    static func < (one: HomeKey, other: HomeKey) -> Bool {
        (one.controller.text, one.home.text) < (other.controller.text, other.home.text)
    }
}

/// A device of such a home: commands to it share a sequence.
struct DeviceKey: Hashable, Sendable {
    let home: HomeKey
    let device: DeviceID

    init(_ intent: CommandIntent) {
        home = HomeKey(intent)
        device = intent.device
    }

    init(_ home: HomeKey, _ device: DeviceID) {
        self.home = home
        self.device = device
    }
}
