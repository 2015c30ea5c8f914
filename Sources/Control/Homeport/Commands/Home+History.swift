public import DeviceControl
public import DeviceDomain
public import DeviceMessages

extension Home {
    /// Commands of this controller in the home, newest first. It needs no connection.
    /// - Parameters:
    ///   - device: only those to this device.
    ///   - states: only those that stand in one of these states now.
    ///   - since: only those made at this time or later.
    /// - Throws: ``HomeError`` `ledger`; `unknownDevice` if the ledger remembers devices of the
    ///   home, but knows nothing of this one.
    public func history(
        device: DeviceID? = nil, states: Set<CommandState>? = nil, since: Timestamp? = nil,
        limit: Int = 50
    ) async throws(HomeError) -> [CommandRecord] {
        let records = try await history(of: device.map { [$0] }, states, since, limit: limit)
        if records.isEmpty, let device {
            try await requireKnown(device, to: try await openedControl())
        }
        return records
    }

    /// Those that were meant for the broker of the home, not for another one with a home of the same name.
    package func historyHere(
        of devices: Set<DeviceID>?, limit: Int
    ) async throws(HomeError) -> [CommandRecord] {
        try await history(of: devices, nil, nil, isHere: true, limit: limit)
    }

    private func history(
        of devices: Set<DeviceID>?, _ states: Set<CommandState>?, _ since: Timestamp?,
        isHere: Bool = false, limit: Int
    ) async throws(HomeError) -> [CommandRecord] {
        let control = try await openedControl()
        do {
            return try await control.ledger.history(
                HistoryQuery(
                    controller: controller, home: id, devices: devices, isHere: isHere,
                    states: states, since: since, limit: limit))
        } catch {
            throw HomeError(error)
        }
    }

    /// A ledger that remembers no device at all cannot tell a mistyped id.
    private func requireKnown(_ device: DeviceID, to control: Control) async throws(HomeError) {
        guard let known = try? await control.devices.devices(in: id), !known.isEmpty,
            !known.contains(where: { $0.profile.id == device })
        else { return }
        throw .unknownDevice(
            device.text, in: id, among: known.map { ($0.profile.id, $0.profile.name) })
    }

    /// Commands of this controller to some devices, newest first. It needs no connection.
    /// - Parameters:
    ///   - devices: the devices.
    ///   - states: only those that stand in one of these states now.
    ///   - since: only those made at this time or later.
    /// - Throws: ``HomeError`` `ledger`.
    public func history(
        devices: Set<DeviceID>, states: Set<CommandState>? = nil, since: Timestamp? = nil,
        limit: Int = 50
    ) async throws(HomeError) -> [CommandRecord] {
        try await history(of: devices, states, since, limit: limit)
    }

    /// The devices that this home has seen, from the ledger. It needs no connection.
    /// - Throws: ``HomeError`` `ledger`.
    public func rememberedDevices() async throws(HomeError) -> [DeviceProfile] {
        let control = try await openedControl()
        do {
            return try await control.devices.devices(in: id).map(\.profile)
        } catch {
            throw HomeError(.ledger, "\(error)")
        }
    }

    /// Puts the devices that the ledger remembers into ``model``, as they were last known; what is heard
    /// of them replaces it. It needs no connection.
    /// - Throws: ``HomeError`` `ledger`.
    package func recallDevices() async throws(HomeError) {
        let control = try await openedControl()
        do {
            live.remember(try await control.devices.devices(in: id))
        } catch {
            throw HomeError(.ledger, "\(error)")
        }
    }

    /// A command as the ledger has it; `nil` if it does not.
    /// - Throws: ``HomeError`` `ledger`.
    public func command(_ id: CommandID) async throws(HomeError) -> CommandRecord? {
        let control = try await openedControl()
        do {
            return try await control.ledger.record(of: id)
        } catch {
            throw HomeError(error)
        }
    }

    /// Everything that happened to a command, in order.
    /// - Throws: ``HomeError`` `ledger`.
    public func events(of id: CommandID) async throws(HomeError) -> [LedgerEvent] {
        let control = try await openedControl()
        do {
            return try await control.ledger.events(of: id)
        } catch {
            throw HomeError(error)
        }
    }
}
