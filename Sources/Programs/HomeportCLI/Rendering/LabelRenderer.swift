import Homeport
import TerminalOutput

/// What the user says of devices and rooms, as the verbs print it that change it.
struct LabelRenderer: Sendable {
    let format: OutputFormat

    /// The lines for a device.
    func lines(for device: KnownDevice, _ sentence: String) -> [String] {
        switch format {
        case .human: return [sentence.printable]
        case .json:
            var line = JSONLine()
            line.add("device", device.id.text)
            line.add("home", device.home.text)
            line.add("name", device.name)
            line.add("room", device.label.room?.text)
            return [line.text]
        }
    }

    /// The lines for a room.
    func lines(
        for room: GivenName, of home: HomeID, _ devices: [DeviceID], _ sentence: String
    ) -> [String] {
        switch format {
        case .human: [sentence.printable]
        case .json: [room.line(of: home, devices).text]
        }
    }
}

/// The rooms of a home, as `room list` prints them.
struct RoomsRenderer: Sendable {
    let home: HomeID

    /// The columns of the list.
    static let columns: [TextTable.Column] = [
        .init("ROOM", .cut(minimum: 10)), .init("DEVICES", .wrapped(minimum: 20)),
    ]

    /// The rooms, in the order of their names.
    func listing(of labels: HomeLabels) -> Listing {
        Listing(
            Self.columns,
            labels.rooms.map { room in
                let devices = labels.devices(in: room)
                return Listing.Row(room.text) {
                    let names = devices.map { device in
                        labels[device].name.map { "\(device) (\($0))" } ?? device.text
                    }
                    return [
                        .init(room.text),
                        names.isEmpty ? .absent : .init(names.joined(separator: ", ")),
                    ]
                } object: {
                    room.line(of: home, devices)
                }
            })
    }
}

extension GivenName {
    /// A room in JSON.
    fileprivate func line(of home: HomeID, _ devices: [DeviceID]) -> JSONLine {
        var line = JSONLine()
        line.add("name", text)
        line.add("home", home.text)
        line.add("devices", .array(devices.map { .string($0.text) }))
        return line
    }
}
