internal import Connectivity
package import DeviceControl
package import DeviceDomain
internal import HomeModel

/// What the ledger tells of the commands of a controller in a home.
extension CommandSending {
    /// The commands that a query selects.
    func history(_ query: HistoryQuery) async throws(HomeError) -> [CommandRecord] {
        try await lifetime.withStorage { try await $0.ledger.history(query) }
    }

    /// Commands to one device, or to every one, newest first.
    func history(
        of device: DeviceID?, _ states: Set<CommandState>?, _ since: Timestamp?, limit: Int
    ) async throws(HomeError) -> [CommandRecord] {
        let records = try await history(
            ofAny: device.map { [$0] }, states, since, limit: limit)
        if records.isEmpty, let device { try await requireRemembered(device) }
        return records
    }

    /// Commands to any of some devices, or to every one, newest first.
    /// - Parameters:
    ///   - states: only those that stand in one of these states now.
    ///   - since: only those made at this time or later.
    ///   - until: only those made before this time.
    ///   - isHere: only those that were meant for the broker of the home, not for another one with a home of
    ///     the same name.
    ///   - offset: so many of the newest ones are left out.
    /// - Throws: ``HomeError`` `ledger`.
    package func history(
        ofAny devices: Set<DeviceID>?, _ states: Set<CommandState>? = nil,
        _ since: Timestamp? = nil, until: Timestamp? = nil, isHere: Bool = false, offset: Int = 0,
        limit: Int
    ) async throws(HomeError) -> [CommandRecord] {
        try await history(
            HistoryQuery(
                controller: controller, home: observation.home, devices: devices, isHere: isHere,
                states: states, since: since, until: until, offset: offset, limit: limit))
    }

    /// A ledger that remembers no device at all cannot tell a mistyped id.
    private func requireRemembered(_ device: DeviceID) async throws(HomeError) {
        let known = try await observation.rememberedDevices().map(\.profile)
        guard !known.isEmpty, !known.contains(where: { $0.id == device }) else { return }
        throw .unknownDevice(
            device.text, in: observation.home.text, among: known.map { ($0.id, $0.name) })
    }

    /// A command as the ledger has it; `nil` if it does not.
    func record(of id: CommandID) async throws(HomeError) -> CommandRecord? {
        try await lifetime.withStorage { try await $0.ledger.record(of: id) }
    }

    /// Everything that happened to a command, in order.
    func events(of id: CommandID) async throws(HomeError) -> [LedgerEvent] {
        try await lifetime.withStorage { try await $0.ledger.events(of: id) }
    }

    /// Why a command is where it is: what happened to it, and what happens next.
    func explanation(of id: CommandID) async throws(HomeError) -> CommandExplanation {
        guard let record = try await record(of: id) else {
            throw HomeError(.unknownCommand, "the ledger has no command \(id)")
        }
        try record.require(of: observation.home)
        let tenures = try await lifetime.withStorage {
            try await $0.ledger.tenures(during: id)
        }
        return CommandExplanation(
            record, try await events(of: id), under: tenures,
            over: observation.traits(of: record.prepared.channel),
            at: observation.clock.now.wall)
    }
}
