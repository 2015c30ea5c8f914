import DeviceDomain
import DeviceMessages

// Reports that were written before.
extension FleetReport {
    /// How large a report may be: that of 1,000,000 devices is 200 MB.
    private static let limits = JSONLimits(bytes: 1 << 30, depth: 32)

    /// Reads the bytes that ``json`` gave.
    /// - Parameter name: what the file is called in errors.
    /// - Throws: ``FleetError`` for something else.
    package init(json: [UInt8], name: String) throws(FleetError) {
        let members: JSONObject
        do throws(PayloadError) {
            members = try JSONReader.read(json, limits: Self.limits).object ?? [:]
        } catch { throw FleetError(.unusableFile, "\(name) is no report: \(error)") }
        guard members["v"] == 1, let seed = members["seed"]?.integer, seed >= 0,
            let epoch = members["epoch"]?.integer, let world = members["worldSeconds"]?.number,
            let wall = members["wallSeconds"]?.number, let measured = members["measured"]?.object
        else {
            throw FleetError(
                .unusableFile, "\(name) is no report of this version of homeport-sim")
        }
        self.init(
            seed: UInt64(seed), epoch: Timestamp(milliseconds: epoch), world: .seconds(world),
            wall: .seconds(wall))
        scenario = members["scenario"]?.string
        assertions = (members["assertions"]?.array ?? []).compactMap(Self.assertion)
        leftOut = (members["leftOut"]?.array ?? []).compactMap(\.object)
            .compactMap(UncheckedAssertion.init)
        askedSpeed = members["speedAsked"].flatMap(WorldSpeed.init(json:))
        for line in Self.lines(members, measured) { add(line) }
    }

    /// The lines in which a process of a fleet would have told the same.
    private static func lines(_ members: JSONObject, _ measured: JSONObject) -> [JSONObject] {
        var rest: JSONObject = ["invariants": members["invariants"] ?? []]
        var commands = members["commands"]?.object ?? [:]
        commands["latency"] = measured["latency"]
        rest["commands"] = .object(commands)
        rest["lateness"] = measured["lateness"]
        rest["saturation"] = measured["saturation"]
        rest["series"] = members["series"]
        func list(_ name: String, as word: String) -> [JSONObject] {
            (members[name]?.array ?? []).map { [word: $0] }
        }
        return list("devices", as: "made") + list("faults", as: "happened")
            + list("traces", as: "traced") + [rest]
    }

    private static func assertion(_ value: JSONValue) -> AssertionOutcome? {
        guard let members = value.object, let name = members["name"]?.string,
            let metric = members["metric"]?.string, let passed = members["passed"]?.boolean
        else { return nil }
        return AssertionOutcome(
            name: name, metric: metric, passed: passed, found: members["found"]?.number,
            text: members["text"]?.string ?? "")
    }

    /// What a report has beside the figures of CLI.md, so that reports can be joined and drawn: all classes of the
    /// histograms, how the fleet went over time, and a few traces.
    func writeMeasurements(to json: inout JSONWriter) {
        var measured: JSONObject = [
            "lateness": .object(lateness.members), "latency": .object(commands.latency.members),
        ]
        if let saturation { measured["saturation"] = .object(saturation.members) }
        json.writeName("measured")
        json.write(measured)
        if !series.stretches.isEmpty {
            json.writeName("series")
            json.write(series.members)
        }
        guard !traces.isEmpty else { return }
        json.writeName("traces")
        json.writeArray(traces) { $0.write($1.members) }
    }
}
