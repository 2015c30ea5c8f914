package import DeviceDomain
package import DeviceMessages
import DeviceSimulation

/// The way of one robot, or a day of one store: a part of its samples, which a report draws.
///
/// Samples are kept by how far a robot has come since the last one that was kept, or by the time of a store. When
/// there are more than ``mostPoints``, every second one goes and that distance doubles.
package struct DeviceTrace: Hashable, Sendable {
    /// A sample.
    package struct Point: Hashable, Sendable {
        /// When it was taken (world clock).
        package let at: Timestamp
        /// Its numbers by their signals; those of ``DeviceTrace/signals``.
        package let values: [Signal: Double]
    }

    /// How many points there are at most.
    static let mostPoints = 1200
    /// How many devices of each kind are traced.
    static let mostDevices = 3

    /// The device.
    package let home: HomeID
    package let device: DeviceID
    /// Its kind.
    package let kind: DeviceKind
    /// What it says of itself, with the floor on which it moves and without its commands; `nil` before it has.
    package private(set) var description: DescriptionMessage?
    /// The samples that were kept, oldest first.
    package private(set) var points: [Point] = []
    /// How far the points are apart at least: metres of a robot, seconds of a store.
    private var spacing: Double

    /// The trace of a device that has made nothing.
    init(home: HomeID, device: DeviceID, kind: DeviceKind) {
        self.home = home
        self.device = device
        self.kind = kind
        spacing = kind == .energyStore ? 60 : 0.05
    }

    /// What is kept of the samples of a kind.
    static func signals(of kind: DeviceKind) -> [Signal] {
        kind == .energyStore
            ? [.stateOfChargePercent, .batteryPowerW, .gridPowerW, .loadPowerW, .pvPowerW]
            : [.x, .y, .batteryPercent]
    }

    /// Its name across homes.
    var key: DeviceKey { DeviceKey(home: home, device: device) }

    /// How far a robot has come on these points, m; 0 for a store.
    package var wayM: Double {
        guard kind != .energyStore else { return 0 }
        return zip(points, points.dropFirst()).reduce(0) { $0 + Self.distance($1.0, $1.1, kind) }
    }

    /// Notes what the device has made.
    mutating func note(_ publication: DevicePublication) {
        switch publication {
        case .description(let message):
            description = message
            // Nobody draws them, and they are most of it.
            description?.commands = []
        case .telemetry(let sample): note(sample)
        case .presence, .state, .event, .ack, .altered: break
        }
    }

    private mutating func note(_ sample: WrittenSample) {
        // Before it is read: a store says the time without that.
        if kind == .energyStore, let last = points.last,
            sample.at.since(last.at).seconds < spacing
        {
            return
        }
        guard let message = try? TelemetryMessage(payload: sample.payload) else { return }
        add(Point(at: sample.at, values: Self.numbers(message.values, of: kind)))
    }

    private mutating func add(_ point: Point) {
        if let last = points.last, Self.distance(last, point, kind) < spacing { return }
        points.append(point)
        while points.count > Self.mostPoints { thin() }
    }

    private mutating func thin() {
        spacing *= 2
        points = points.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    }

    private static func distance(_ one: Point, _ other: Point, _ kind: DeviceKind) -> Double {
        guard kind != .energyStore else { return other.at.since(one.at).seconds }
        let (x, y) = (
            (other.values[.x] ?? 0) - (one.values[.x] ?? 0),
            (other.values[.y] ?? 0) - (one.values[.y] ?? 0)
        )
        return (x * x + y * y).squareRoot()
    }

    private static func numbers(_ members: JSONObject, of kind: DeviceKind) -> [Signal: Double] {
        signals(of: kind).reduce(into: [:]) { $0[$1] = members[$1]?.number }
    }
}

extension DeviceTrace {
    /// As a report has it, and as one process tells it to another: the instants in ms since 1970, and a list for each
    /// signal.
    var members: JSONObject {
        var members: JSONObject = [
            "home": .string(home.text), "device": .string(device.text),
            "kind": .string(kind.rawValue),
            "at": .array(points.map { .integer($0.at.milliseconds) }),
        ]
        for signal in Self.signals(of: kind) {
            members[signal.rawValue] = .array(
                points.map { point in point.values[signal].map(JSONValue.number) ?? .null })
        }
        if let description,
            let value = try? JSONReader.read(description.payload)
        {
            members["description"] = value
        }
        return members
    }

    /// What a report says; `nil` where that is no trace.
    init?(_ members: JSONObject) {
        guard let home = members["home"]?.string.flatMap(HomeID.init(rawValue:)),
            let device = members["device"]?.string.flatMap(DeviceID.init(rawValue:)),
            let kind = members["kind"]?.string, let instants = members["at"]?.array
        else { return nil }
        self.init(home: home, device: device, kind: DeviceKind(rawValue: kind))
        let lists = Self.signals(of: self.kind).map { ($0, members[$0]?.array ?? []) }
        points = instants.enumerated().compactMap { place, instant in
            instant.integer.map { at in
                Point(
                    at: Timestamp(milliseconds: at),
                    values: lists.reduce(into: [:]) { values, list in
                        guard place < list.1.count else { return }
                        values[list.0] = list.1[place].number
                    })
            }
        }
        description = members["description"].flatMap {
            try? DescriptionMessage(payload: JSONWriter.write($0))
        }
    }
}

/// The traces of a shard: of the first few devices of each kind.
struct DeviceTraces {
    private var traces: [DeviceTrace] = []
    /// For each device of the shard, the place of its trace.
    private var places: [Int?]

    /// - Parameter devices: the devices of the shard, in their order.
    init(of devices: [DeviceIdentity]) {
        var counts: [DeviceKind: Int] = [:]
        places = Array(repeating: nil, count: devices.count)
        for (index, identity) in devices.enumerated() {
            let kind = BehaviourCatalog.kind(of: identity.model)
            guard counts[kind, default: 0] < DeviceTrace.mostDevices else { continue }
            counts[kind, default: 0] += 1
            places[index] = traces.count
            traces.append(DeviceTrace(home: identity.home, device: identity.device, kind: kind))
        }
    }

    /// Notes what a device has made.
    mutating func note(_ publication: DevicePublication, of index: Int) {
        guard places.indices.contains(index), let place = places[index] else { return }
        traces[place].note(publication)
    }

    /// All of them, in the order of the devices.
    var all: [DeviceTrace] { traces }
}

extension [DeviceTrace] {
    /// The few that a whole fleet keeps: of robots those that have come farthest, of stores the first.
    func chosen() -> [DeviceTrace] {
        var counts: [DeviceKind: Int] = [:]
        let byWay = enumerated().sorted {
            ($1.element.wayM, $0.offset) < ($0.element.wayM, $1.offset)
        }
        return byWay.filter { _, trace in
            counts[trace.kind, default: 0] += 1
            return counts[trace.kind, default: 0] <= DeviceTrace.mostDevices
        }.sorted { $0.offset < $1.offset }.map(\.element)
    }
}
