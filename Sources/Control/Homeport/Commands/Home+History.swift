public import DeviceControl
public import DeviceDomain
public import DeviceMessages

/// What the ledger tells. It needs no connection.
extension Home {
    /// Commands of this controller in the home, newest first.
    /// - Parameters:
    ///   - device: only those to this device.
    ///   - states: only those that stand in one of these states now.
    ///   - since: only those made at this time or later.
    ///   - limit: how many at most.
    /// - Throws: ``HomeError`` `ledger`; `unknownDevice` if the ledger remembers devices of the
    ///   home, but knows nothing of this one.
    public func history(
        device: DeviceID? = nil, states: Set<CommandState>? = nil, since: Timestamp? = nil,
        limit: Int = 50
    ) async throws(HomeError) -> [CommandRecord] {
        try await commands.history(of: device, states, since, limit: limit)
    }

    /// As ``history(device:states:since:limit:)``, to any of some devices.
    /// - Throws: ``HomeError`` `ledger`.
    public func history(
        devices: Set<DeviceID>, states: Set<CommandState>? = nil, since: Timestamp? = nil,
        limit: Int = 50
    ) async throws(HomeError) -> [CommandRecord] {
        try await commands.history(ofAny: devices, states, since, limit: limit)
    }

    /// The commands of this controller that wait for their devices, newest first.
    /// - Throws: ``HomeError`` `ledger`.
    public func waitingCommands() async throws(HomeError) -> [CommandRecord] {
        try await commands.history(
            HistoryQuery(controller: controller, home: id, stage: .waiting, limit: .max))
    }

    /// The commands of this controller that are open or unknown and were meant for another broker than the
    /// home's, newest first. They are neither sent nor asked about here.
    /// - Throws: ``HomeError`` `ledger`.
    public func commandsElsewhere() async throws(HomeError) -> [CommandRecord] {
        try await lifetime.withStorage { try await $0.moving.elsewhere(of: controller, in: id) }
    }

    // MARK: One command

    /// A command as the ledger has it; `nil` if it does not.
    /// - Throws: ``HomeError`` `ledger`.
    public func command(_ id: CommandID) async throws(HomeError) -> CommandRecord? {
        try await commands.record(of: id)
    }

    /// Everything that happened to a command, in order.
    /// - Throws: ``HomeError`` `ledger`.
    public func events(of id: CommandID) async throws(HomeError) -> [LedgerEvent] {
        try await commands.events(of: id)
    }

    /// Why a command is where it is: what happened to it, and what happens next.
    /// - Throws: ``HomeError`` `unknownCommand` where the ledger does not have it, `foreignCommand` where it
    ///   is of another home, `ledger`.
    public func explain(_ id: CommandID) async throws(HomeError) -> CommandExplanation {
        try await commands.explanation(of: id)
    }

    /// The id of the command that somebody means.
    /// - Throws: ``HomeError`` `unknownCommand` where the ledger has none, or several end so; `ledger`.
    public func commandID(_ reference: CommandReference) async throws(HomeError) -> CommandID {
        try await commands.id(reference)
    }

    // MARK: The whole ledger

    /// Entries of the ledger's log, in order, from the one after `number` on: of every home and every
    /// controller that the ledger knows.
    /// - Throws: ``HomeError`` `ledger`.
    public func auditEntries(
        after number: Int = 0, limit: Int = 1_000
    ) async throws(HomeError) -> [AuditEntry] {
        try await lifetime.withStorage {
            try await $0.audit.entries(after: number, limit: limit)
        }
    }

    /// Checks that the ledger's log is as it was written: the hash of every entry, their order, the
    /// last one, and every command against its entries.
    /// - Throws: ``HomeError`` `ledger`.
    public func verifyAudit() async throws(HomeError) -> AuditReport {
        try await lifetime.withStorage { try await $0.audit.verify() }
    }

    /// Runs `body` as the only process of the ledger that has a role in this home, such as carrying out
    /// the commands of another system, which two of them would send twice.
    /// - Parameters:
    ///   - role: small letters and hyphens.
    ///   - refusal: is thrown where another process has the role.
    /// - Throws: ``HomeError`` `ledger`, `notRunning`; else what `body` throws.
    package func withRole<Value>(
        _ role: String, orThrow refusal: @autoclosure () -> any Error,
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await lifetime.withRole("\(role)-\(id)", orThrow: refusal(), body)
    }
}
