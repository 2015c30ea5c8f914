/// The names that a user has given in one home: its rooms, and the label of each device that has one.
///
/// A name belongs to one device, a room has one name; case makes no difference. Every device is in a room that is
/// listed, or in none.
public struct HomeLabels: Hashable, Sendable {
    /// The labels that say something.
    public private(set) var devices: [DeviceID: DeviceLabel] = [:]
    /// The rooms, in the order of their names.
    public private(set) var rooms: [GivenName] = []

    public init() {}

    /// Labels as they were stored; a device that is in a room that is not listed is in none.
    public init(devices: [DeviceID: DeviceLabel], rooms: [GivenName]) {
        self.rooms = rooms.sorted { $0.text.lowercased() < $1.text.lowercased() }
        self.devices = devices.compactMapValues { label in
            var label = label
            label.room = label.room.flatMap { room(called: $0.text) }
            return label.isEmpty ? nil : label
        }
    }

    /// What was said of a device.
    public subscript(device: DeviceID) -> DeviceLabel { devices[device] ?? DeviceLabel() }

    /// The room that a text means; `nil` for none of the home.
    public func room(called text: String) -> GivenName? { rooms.first { $0.isSame(as: text) } }

    /// The devices of a room, in the order of their ids.
    public func devices(in room: GivenName) -> [DeviceID] {
        devices.filter { $0.value.room?.isSame(as: room) == true }.keys.sorted()
    }

    /// The device that has a name by a user; `nil` for none.
    public func device(called text: String) -> DeviceID? {
        devices.first { $0.value.name?.isSame(as: text) == true }?.key
    }

    // MARK: Changes

    /// Names a device; `nil` takes its name back.
    /// - Throws: ``LabelRefusal`` `nameTaken`.
    public mutating func name(_ device: DeviceID, _ name: GivenName?) throws(LabelRefusal) {
        if let name, let owner = self.device(called: name.text), owner != device {
            throw .nameTaken(name, by: owner)
        }
        change(device) { $0.name = name }
    }

    /// Adds a room.
    /// - Throws: ``LabelRefusal`` `roomExists`.
    public mutating func addRoom(_ room: GivenName) throws(LabelRefusal) {
        if let known = self.room(called: room.text) { throw .roomExists(known) }
        self = HomeLabels(devices: devices, rooms: rooms + [room])
    }

    /// Removes a room; its devices are in none from then on.
    /// - Throws: ``LabelRefusal`` `unknownRoom`.
    public mutating func removeRoom(_ text: String) throws(LabelRefusal) {
        let room = try requireRoom(text)
        self = HomeLabels(devices: devices, rooms: rooms.filter { $0 != room })
    }

    /// Puts a device into a room; `nil` takes it out of its room.
    /// - Throws: ``LabelRefusal`` `unknownRoom`.
    public mutating func move(_ device: DeviceID, to text: String?) throws(LabelRefusal) {
        let room: GivenName? = if let text { try requireRoom(text) } else { nil }
        change(device) { $0.room = room }
    }

    /// Forgets what was said of a device.
    public mutating func forget(_ device: DeviceID) { devices[device] = nil }

    /// The room that a text means.
    /// - Throws: ``LabelRefusal`` `unknownRoom`.
    public func requireRoom(_ text: String) throws(LabelRefusal) -> GivenName {
        guard let room = room(called: text) else { throw .unknownRoom(text, among: rooms) }
        return room
    }

    private mutating func change(_ device: DeviceID, _ body: (inout DeviceLabel) -> Void) {
        var label = self[device]
        body(&label)
        devices[device] = label.isEmpty ? nil : label
    }
}

/// Why names and rooms stay as they are.
public enum LabelRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another device has the name, or has it as its id.
    case nameTaken(GivenName, by: DeviceID)
    /// There is a room of that name.
    case roomExists(GivenName)
    /// There is no such room, but these.
    case unknownRoom(String, among: [GivenName])

    public var description: String {
        switch self {
        case .nameTaken(let name, let owner):
            return owner.text == name.text.lowercased()
                ? "\"\(name)\" is the id of another device; choose another name"
                : "\"\(name)\" is the name of \(owner); choose another one"
        case .roomExists(let room): return "there is a room \"\(room)\" already"
        case .unknownRoom(let text, let rooms):
            let names = rooms.map(\.text)
            guard !names.isEmpty else { return "there is no room \"\(text)\", nor any other" }
            return "there is no room \"\(text)\"; the rooms are \(names.joined(separator: ", "))"
                + Suggestion.question(about: text, among: names)
        }
    }
}
