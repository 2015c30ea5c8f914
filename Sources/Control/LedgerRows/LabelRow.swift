internal import DeviceControl
package import DeviceDomain

/// What a user calls devices and rooms, as columns.
package enum LabelRow {
    /// Reads rows of device, name and room; a room alone has no device.
    /// - Throws: ``LedgerError`` `corrupt` for a name that nobody can have given.
    package static func labels(_ rows: some Sequence<some StoredRow>) throws -> HomeLabels {
        var rooms: [GivenName] = []
        var devices: [DeviceID: DeviceLabel] = [:]
        for row in rows {
            let (device, name, room) = (row.text(0), row.text(1), row.text(2))
            if let device {
                devices[try DeviceID(device)] = DeviceLabel(
                    name: try name.map(given), room: try room.map(given))
            } else if let room {
                rooms.append(try given(room))
            }
        }
        return HomeLabels(devices: devices, rooms: rooms)
    }

    private static func given(_ text: String) throws -> GivenName {
        do {
            return try GivenName(text)
        } catch {
            throw LedgerError(
                .corrupt, "the ledger holds a name that nobody can have given: \(error)")
        }
    }
}
