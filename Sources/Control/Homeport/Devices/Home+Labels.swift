public import DeviceDomain
package import HomeModel

/// What the user calls devices and rooms. It is kept in the ledger, for every process that works with it, and is
/// never sent to a device.
extension Home {
    /// The rooms, and what was said of each device. It needs no connection.
    /// - Throws: ``HomeError`` `ledger`, `notRunning`.
    public func labels() async throws(HomeError) -> HomeLabels {
        await observation.learnLabels()
        return try await lifetime.withStorage { try await $0.labels.labels(in: id) }
    }

    /// A device by its id or name, from the ledger where that knows it: then no connection is needed.
    /// - Throws: ``HomeError`` as ``find(_:)``.
    package func findByLedger(_ reference: String) async throws(HomeError) -> KnownDevice {
        guard let device = try await observation.rememberedID(ofDeviceCalled: reference) else {
            return try await find(reference)
        }
        if live.device(device)?.profile == nil,
            let remembered = try await observation.rememberedDevice(device)
        {
            live.remember([remembered])
        }
        if let known = live.device(device) { return known }
        return try await find(reference)
    }

    /// Names a device. Everywhere the name is shown in place of the device's own, and means the device.
    /// - Parameter name: `nil` takes it back.
    /// - Returns: what the user says of the device from now on.
    /// - Throws: ``HomeError`` `nameTaken` where another device has the name or has it as its id, `ledger`.
    @discardableResult
    public func name(
        _ device: DeviceID, _ name: GivenName?
    ) async throws(HomeError) -> DeviceLabel {
        let device = live.identities.device(device)
        if let name { try await observation.requireFree(name, for: device) }
        return try await observation.changeLabels { labels throws(LabelRefusal) in
            try labels.name(device, name)
        }.current[device]
    }

    /// Puts a device into a room.
    /// - Parameter room: a room of the home, in upper or lower case; `nil` takes the device out of its room.
    /// - Returns: what the user says of the device from now on.
    /// - Throws: ``HomeError`` `unknownRoom`, `ledger`.
    @discardableResult
    public func move(
        _ device: DeviceID, toRoom room: String?
    ) async throws(HomeError) -> DeviceLabel {
        let device = live.identities.device(device)
        return try await observation.changeLabels { labels throws(LabelRefusal) in
            try labels.move(device, to: room)
        }.current[device]
    }

    /// Adds a room.
    /// - Throws: ``HomeError`` `nameTaken` where there is one of that name, `ledger`.
    public func addRoom(_ room: GivenName) async throws(HomeError) {
        _ = try await observation.changeLabels { labels throws(LabelRefusal) in
            try labels.addRoom(room)
        }
    }

    /// Removes a room.
    /// - Returns: the devices that were in it, and are in no room now.
    /// - Throws: ``HomeError`` `unknownRoom`, `ledger`.
    @discardableResult
    public func removeRoom(_ room: String) async throws(HomeError) -> [DeviceID] {
        let former = try await observation.changeLabels { labels throws(LabelRefusal) in
            try labels.removeRoom(room)
        }.former
        return former.room(called: room).map(former.devices(in:)) ?? []
    }

    /// Checks that the user has named a room so.
    /// - Throws: ``HomeError`` `unknownRoom`, with the rooms that there are.
    package func requireKnownRoom(_ room: GivenName?) async throws(HomeError) {
        try await observation.requireKnownRoom(room)
    }
}
