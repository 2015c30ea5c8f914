package import DeviceDomain
import DeviceMessages
package import DeviceSimulation

/// What a run came to, as `--report` writes it (CLI.md, "Reports").
package struct FleetReport: Sendable {
    /// What one device made.
    package struct Device: Sendable {
        package let home: HomeID
        package let device: DeviceID
        package let kind: String
        package let model: String
        /// Of everything that it made, in 64 hexadecimal digits.
        package let hash: String
        /// How many samples it made.
        package let samples: Int
    }

    /// What everything random derived from.
    package let seed: UInt64
    /// What the world clock showed at the start.
    package let epoch: Timestamp
    /// How far the world went.
    package let world: Duration
    /// How long that took.
    package let wall: Duration
    /// How late samples were made.
    package internal(set) var lateness = MillisecondHistogram()
    /// The commands that devices took.
    package var commands = CommandTally()
    /// The faults that were injected, in the order in which they began.
    var faults: [FaultLog.Entry] = []
    /// What became of the assertions of the scenario, in its order; none without one.
    package var assertions: [AssertionOutcome] = []
    /// The assertions of the scenario that were not checked, in its order.
    package var leftOut: [UncheckedAssertion] = []
    /// How fast the world was asked to go; `nil` where that is not known.
    package var askedSpeed: WorldSpeed?
    /// The text of the scenario; `nil` for a run without one.
    package var scenario: String?
    /// What was found of the invariants of the world.
    package internal(set) var invariants = InvariantRecord()
    /// Whether the machine was too slow for the speed of the world.
    var saturation: Saturation?
    /// The devices, in the order of the plan.
    package internal(set) var devices: [Device] = []
    /// How the fleet went over time; without stretches for a run without a broker.
    package internal(set) var series = RunSeries()
    /// The ways of a few robots, and the days of a few stores.
    package internal(set) var traces: [DeviceTrace] = []

    package init(seed: UInt64, epoch: Timestamp, world: Duration, wall: Duration) {
        self.seed = seed
        self.epoch = epoch
        self.world = world
        self.wall = wall
    }

    /// How late one sample in a hundred may be in a valid run, ms: more is the machine's doing, and not the devices'.
    private static let latestSample = 1000

    /// Why the run is not valid: the machine was too slow, so that it says little of the devices; `nil` for a valid one.
    package var reason: String? {
        shortage.map { "generator saturated, result invalid: \($0)" }
    }

    private var shortage: String? {
        if let saturation { return "\(saturation)" }
        let late = lateness.quantile(0.99)
        guard late > Self.latestSample else { return nil }
        return
            "the machine made one sample in a hundred \(late) ms late or more, "
            + "and the latest one \(lateness.largest) ms"
    }

    /// World seconds per second of the wall clock.
    package var speedReached: Double { world.seconds / max(wall.seconds, 1e-6) }

    /// The bytes of the file.
    package var json: [UInt8] {
        var json = JSONWriter()
        json.writeObject { json in
            json.writeName("v")
            json.write(1)
            json.writeName("seed")
            json.write(Int(clamping: seed))
            json.writeName("epoch")
            json.write(epoch.milliseconds)
            json.writeName("worldSeconds")
            json.write(world.seconds)
            json.writeName("wallSeconds")
            json.write(wall.seconds)
            json.writeName("speedReached")
            json.write((speedReached * 1000).rounded() / 1000)
            if let askedSpeed {
                json.writeName("speedAsked")
                json.write(askedSpeed.json)
            }
            writeFindings(to: &json)
            json.writeName("devices")
            json.writeArray(devices) { json, device in json.writeObject { device.write(to: &$0) } }
            if let scenario {
                json.writeName("scenario")
                json.write(scenario)
            }
            writeMeasurements(to: &json)
        }
        return json.bytes + Array("\n".utf8)
    }

    private func writeFindings(to json: inout JSONWriter) {
        json.writeName("valid")
        json.write(reason == nil)
        if let reason {
            json.writeName("reason")
            json.write(reason)
        }
        json.writeName("latenessMs")
        lateness.write(MillisecondHistogram.reportedLateness, to: &json)
        json.writeName("commands")
        commands.write(to: &json)
        json.writeName("assertions")
        json.writeArray(assertions) { $0.write($1.members) }
        if !leftOut.isEmpty {
            json.writeName("leftOut")
            json.writeArray(leftOut) { $0.write($1.members) }
        }
        json.writeName("invariants")
        json.writeArray(invariants.members) { $0.write($1) }
        json.writeName("faults")
        json.writeArray(faults) { $0.write($1.members) }
    }
}

extension FleetReport.Device {
    /// Its name across homes.
    package var key: DeviceKey { DeviceKey(home: home, device: device) }

    fileprivate func write(to json: inout JSONWriter) {
        for (name, text) in texts {
            json.writeName(name)
            json.write(text)
        }
        json.writeName("samples")
        json.write(samples)
    }

    private var texts: [(String, String)] {
        [
            ("home", home.text), ("device", device.text), ("kind", kind), ("model", model),
            ("hash", hash),
        ]
    }
}

// What processes of one fleet tell each other of it.
extension FleetReport {
    /// The report of a part of a fleet in lines: one for each device and fault, the last one for the rest.
    package var lines: [JSONObject] {
        var rest: JSONObject = [
            "lateness": .object(lateness.members), "commands": .object(commands.members),
            "invariants": .array(invariants.members.map(JSONValue.object)),
        ]
        if let saturation { rest["saturation"] = .object(saturation.members) }
        if !series.stretches.isEmpty { rest["series"] = .object(series.members) }
        return devices.map { ["made": .object($0.members)] }
            + faults.map { ["happened": .object($0.members)] }
            + traces.map { ["traced": .object($0.members)] } + [rest]
    }

    /// Adds what another part of the fleet has told.
    package mutating func add(_ line: JSONObject) {
        if let members = line["made"]?.object {
            if let device = Device(members) { devices.append(device) }
        } else if let members = line["happened"]?.object {
            if let entry = FaultLog.Entry(members) { faults.append(entry) }
        } else if let members = line["traced"]?.object {
            if let trace = DeviceTrace(members) { traces.append(trace) }
        } else {
            if let members = line["series"]?.object { series.merge(RunSeries(members)) }
            lateness.merge(MillisecondHistogram(line["lateness"]?.object ?? [:]))
            commands.merge(CommandTally(line["commands"]?.object ?? [:]))
            invariants.add(InvariantRecord(line["invariants"]?.array ?? []))
            if let found = line["saturation"]?.object.flatMap(Saturation.init) {
                saturation = saturation?.joined(with: found) ?? found
            }
        }
    }

    /// Puts devices and faults in order, once all parts are there.
    package mutating func arrange(as plan: FleetPlan) {
        let places = Dictionary(
            uniqueKeysWithValues: plan.devices.enumerated().map { ($1.key, $0) })
        arrange { places[$0] ?? 0 }
    }

    /// Puts devices, faults and traces in an order of the devices.
    mutating func arrange(by place: (DeviceKey) -> Int) {
        devices.sort { place($0.key) < place($1.key) }
        faults.sort { ($0.from, place($0.device)) < ($1.from, place($1.device)) }
        traces.sort { place($0.key) < place($1.key) }
        traces = traces.chosen()
    }
}

extension FleetReport.Device {
    fileprivate var members: JSONObject {
        var members = Dictionary(uniqueKeysWithValues: texts.map { ($0, JSONValue.string($1)) })
        members["samples"] = .integer(samples)
        return members
    }

    fileprivate init?(_ members: JSONObject) {
        guard let home = members["home"]?.string.flatMap(HomeID.init(rawValue:)),
            let device = members["device"]?.string.flatMap(DeviceID.init(rawValue:)),
            let kind = members["kind"]?.string, let model = members["model"]?.string,
            let hash = members["hash"]?.string, let samples = members["samples"]?.integer
        else { return nil }
        self.init(
            home: home, device: device, kind: kind, model: model, hash: hash, samples: samples)
    }
}

/// Invariants of the world did not hold in a run that went well otherwise.
package struct InvariantsViolated: Error, Hashable, Sendable, CustomStringConvertible {
    /// How often, by the name of the invariant.
    package let violations: [String: Int]

    /// `nil` where all invariants held.
    package init?(_ found: InvariantRecord) {
        guard !found.isClean else { return nil }
        violations = found.entries.mapValues(\.violations)
    }

    package var description: String {
        let list = violations.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value) times" }
        return "invariants of the world did not hold: \(list.joined(separator: ", ")); this is an "
            + "error of the simulator: please report the lines above with seed and options"
    }
}
