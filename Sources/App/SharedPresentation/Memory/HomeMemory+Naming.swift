public import DeviceDomain
internal import HomeModel

extension HomeMemory {
    /// Reads which rooms there are. Where that fails, they stay as they were: the ledger's failure is told by
    /// what is read beside them.
    public func readRooms() async {
        guard let labels = try? await service.labels() else { return }
        if rooms != labels.rooms { rooms = labels.rooms }
    }

    /// Names a device, and puts it into a room of the home.
    /// - Parameters:
    ///   - name: `nil` for the device's own.
    ///   - room: `nil` for none.
    public func label(
        _ device: DeviceID, name: GivenName?, room: String?
    ) async throws(Failure) {
        let label = devices[device]?.known.label ?? DeviceLabel()
        if label.name != name { try await service.name(device, name) }
        if label.room?.text != room { try await service.move(device, toRoom: room) }
        await readRooms()
    }

    /// Adds a room.
    public func addRoom(_ room: GivenName) async throws(Failure) {
        try await service.addRoom(room)
        await readRooms()
    }

    /// Removes a room; its devices are in none then.
    public func removeRoom(_ room: String) async throws(Failure) {
        try await service.removeRoom(room)
        await readRooms()
    }
}
