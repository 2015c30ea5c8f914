public import DeviceDomain
internal import HomeModel

extension Home {
    /// What the user calls its devices and rooms.
    public var naming: DeviceNaming { DeviceNaming(observation: observation) }
}

/// What the user calls devices and rooms. It is kept in the ledger, for every process that works with it, and is
/// never sent to a device.
public struct DeviceNaming: Sendable {
    let observation: HomeObservation

    private var live: LiveHome { observation.live }
    private var known: KnownLabels { observation.labels }

    /// The rooms, and what was said of each device. It needs no connection.
    /// - Throws: ``HomeError`` `ledger`, `notRunning`.
    public func labels() async throws(HomeError) -> HomeLabels {
        await known.learn()
        return try await observation.lifetime.withStorage {
            try await $0.labels.labels(in: observation.home)
        }
    }

    /// Names a device. Everywhere the name is shown in place of the device's own, and means the device.
    /// - Parameters:
    ///   - device: the device.
    ///   - name: `nil` takes it back.
    /// - Returns: what the user says of the device from now on.
    /// - Throws: ``HomeError`` `nameTaken` where another device has the name or has it as its id, `ledger`.
    @discardableResult
    public func name(
        _ device: DeviceID, _ name: GivenName?
    ) async throws(HomeError) -> DeviceLabel {
        let device = live.identities.device(device)
        if let name { try await known.requireFree(name, for: device) }
        return try await known.change { labels throws(LabelRefusal) in
            try labels.name(device, name)
        }.current[device]
    }

    /// Puts a device into a room.
    /// - Parameters:
    ///   - device: the device.
    ///   - room: a room of the home, in upper or lower case; `nil` takes the device out of its room.
    /// - Returns: what the user says of the device from now on.
    /// - Throws: ``HomeError`` `unknownRoom`, `ledger`.
    @discardableResult
    public func move(
        _ device: DeviceID, toRoom room: String?
    ) async throws(HomeError) -> DeviceLabel {
        let device = live.identities.device(device)
        return try await known.change { labels throws(LabelRefusal) in
            try labels.move(device, to: room)
        }.current[device]
    }

    /// Adds a room.
    /// - Throws: ``HomeError`` `nameTaken` where there is one of that name, `ledger`.
    public func addRoom(_ room: GivenName) async throws(HomeError) {
        _ = try await known.change { labels throws(LabelRefusal) in
            try labels.addRoom(room)
        }
    }

    /// Removes a room.
    /// - Returns: the devices that were in it, and are in no room now.
    /// - Throws: ``HomeError`` `unknownRoom`, `ledger`.
    @discardableResult
    public func removeRoom(_ room: String) async throws(HomeError) -> [DeviceID] {
        let former = try await known.change { labels throws(LabelRefusal) in
            try labels.removeRoom(room)
        }.former
        return former.room(called: room).map(former.devices(in:)) ?? []
    }

    /// Checks that the user has named a room so.
    /// - Throws: ``HomeError`` `unknownRoom`, with the rooms that there are.
    package func requireRoom(_ room: GivenName?) async throws(HomeError) {
        try await known.requireRoom(room)
    }
}
