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
    package let lateness: Lateness
    /// What was found of the invariants of the world.
    package let invariants: InvariantRecord
    /// The devices, in the order of the plan.
    package let devices: [Device]

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
            json.writeName("latenessMs")
            json.writeObject { lateness.write(to: &$0) }
            json.writeName("invariants")
            json.writeArray(Invariant.all) { json, invariant in
                json.writeObject { invariants.write(invariant, to: &$0) }
            }
            json.writeName("devices")
            json.writeArray(devices) { json, device in json.writeObject { device.write(to: &$0) } }
        }
        return json.bytes + Array("\n".utf8)
    }
}

extension FleetReport.Device {
    fileprivate func write(to json: inout JSONWriter) {
        let members = [
            ("home", home.text), ("device", device.text), ("kind", kind), ("model", model),
            ("hash", hash),
        ]
        for (name, text) in members {
            json.writeName(name)
            json.write(text)
        }
        json.writeName("samples")
        json.write(samples)
    }
}

extension InvariantRecord {
    /// How often an invariant did not hold.
    func violations(of invariant: Invariant) -> Int { entries[invariant.name]?.violations ?? 0 }

    fileprivate func write(_ invariant: Invariant, to json: inout JSONWriter) {
        json.writeName("name")
        json.write(invariant.name)
        json.writeName("violations")
        json.write(violations(of: invariant))
        guard let first = entries[invariant.name]?.first else { return }
        json.writeName("first")
        json.writeObject { json in
            for (name, text) in [("home", first.home.text), ("device", first.device.text)] {
                json.writeName(name)
                json.write(text)
            }
            json.writeName("at")
            json.write(first.at.milliseconds)
            json.writeName("text")
            json.write(first.text)
        }
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
