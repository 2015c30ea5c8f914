internal import DeviceDomain

// What a sweeping robot reports.
extension EndpointValues {
    mutating func readMode(_ cluster: Int, _ name: String) {
        guard node.has(endpoint.number, cluster, 1) else { return }
        let modes = DeviceMode.all(value(cluster, 0))
        let current = value(cluster, 1)?.integer
        let mode = modes.first { $0.number == current }
        set(name, mode.map { .string($0.name) } ?? current.map { "mode-\($0)".json } ?? .null)
    }

    mutating func readOperation() {
        let cluster = Cluster.rvcOperationalState
        let names = value(cluster, 3)
        put("activity", cluster, 4) { state in
            state.integer.map { Self.activity($0, names).json }
        }
        put(Signal.isCharging.rawValue, cluster, 4) { $0.integer.map { .boolean($0 == 0x41) } }
        put(Signal.remainingMinutes.rawValue, cluster, 2) {
            $0.number.map { .number(($0 / 60).rounded(.up)) }
        }
        put("error", cluster, 5) { value in
            OperationalError(value).flatMap { $0.id == 0 ? nil : $0.text.json }
        }
    }

    private static func activity(_ state: Int, _ names: JSONValue?) -> String {
        switch state {
        case 0: return "idle"
        case 1: return "cleaning"
        case 2: return "paused"
        case 3: return "error"
        case 0x40: return "returning"
        case 0x41, 0x42: return "docked"
        case 0x43: return "emptying-bin"
        case 0x44: return "cleaning-mop"
        case 0x45: return "filling-water"
        case 0x46: return "updating-maps"
        default:
            let entry = names?.array?.first {
                $0.field(0, "operationalStateID")?.integer == state
            }
            let label = entry?.field(1, "operationalStateLabel")?.string?.kebab ?? ""
            return label.isEmpty ? "state-\(state)" : label
        }
    }

    mutating func readAreas() {
        let cluster = Cluster.serviceArea
        let areas = CleaningArea.all(value(cluster, 0))
        put("rooms", cluster, 0) { _ in
            .array(areas.map { ["id": .integer($0.id), "name": .string($0.name)] })
        }
        let names = Dictionary(areas.map { ($0.id, $0.name) }) { first, _ in first }
        put("selected_rooms", cluster, 2) { value in
            value.array.map { .array($0.compactMap(\.integer).map(JSONValue.integer)) }
        }
        put("current_room", cluster, 3) { value in
            value.integer.map { (names[$0] ?? "room-\($0)").json }
        }
    }
}

/// A mode that a device can be in.
struct DeviceMode: Hashable, Sendable {
    /// The device's number for it.
    let number: Int
    /// The device's word in small letters and hyphens; two modes have different names.
    let name: String
    /// What kind of mode it is.
    let tags: [Int]

    /// Cleaning, of the modes in which a robot runs.
    static let cleaning = 0x4001

    /// The modes of a list of the cluster, in its order.
    static func all(_ value: JSONValue?) -> [DeviceMode] {
        var names: Set<String> = []
        return (value?.array ?? []).compactMap { entry in
            guard let number = entry.field(1, "mode")?.integer else { return nil }
            let label = (entry.field(0, "label")?.string ?? "").kebab
            var name = label.isEmpty ? "mode-\(number)" : label
            if !names.insert(name).inserted {
                name += "-\(number)"
                names.insert(name)
            }
            let tags = entry.field(2, "modeTags")?.array ?? []
            return DeviceMode(
                number: number, name: name,
                tags: tags.compactMap { $0.field(1, "value")?.integer })
        }
    }
}

/// An area that a robot can clean.
struct CleaningArea: Hashable, Sendable {
    /// The robot's number for it, up to 2³² − 1.
    let id: Int
    /// What people call it.
    let name: String

    /// The areas of a list of the cluster. Those of two floors may have one name; then both are told by their number.
    static func all(_ value: JSONValue?) -> [CleaningArea] {
        let areas = (value?.array ?? []).compactMap { entry -> CleaningArea? in
            guard let id = entry.field(0, "areaID")?.integer, id >= 0 else { return nil }
            let info = entry.field(2, "areaInfo")
            let place = info?.field(0, "locationInfo")
            let name = place?.field(0, "locationName")?.string ?? ""
            return CleaningArea(id: id, name: name.isEmpty ? "room-\(id)" : name)
        }
        let counts = Dictionary(areas.map { ($0.name, 1) }, uniquingKeysWith: +)
        return areas.map {
            counts[$0.name] == 1 ? $0 : CleaningArea(id: $0.id, name: "\($0.name) (\($0.id))")
        }
    }
}

/// What is wrong with a robot, or with a command to it.
struct OperationalError: Hashable, Sendable {
    let id: Int
    /// The device's own word.
    let label: String?
    let details: String?

    init?(_ value: JSONValue) {
        guard let id = value.field(0, "errorStateID")?.integer else { return nil }
        self.id = id
        label = value.field(1, "errorStateLabel")?.string.flatMap { $0.isEmpty ? nil : $0 }
        details = value.field(2, "errorStateDetails")?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The error for people: the names of the specification, and a vendor's label, which is all that a vendor's own
    /// number means.
    var text: String {
        let name = Self.names[id] ?? label ?? "error \(id)"
        return details.map { "\(name): \($0)" } ?? name
    }

    private static let names: [Int: String] = [
        0: "none", 1: "unable-to-start", 2: "unable-to-complete", 3: "invalid-in-state",
        0x40: "no-dock", 0x41: "stuck", 0x42: "bin-missing", 0x43: "bin-full",
        0x44: "water-empty", 0x45: "water-missing", 0x46: "lid-open", 0x47: "pad-missing",
        0x48: "low-battery", 0x49: "area-unreachable", 0x4A: "dirty-water-full",
        0x4B: "dirty-water-missing", 0x4C: "wheels-jammed", 0x4D: "brush-jammed",
        0x4E: "sensor-obscured",
    ]
}
