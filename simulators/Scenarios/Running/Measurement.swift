package import DeviceDomain
package import Fleet

/// What one process measured for an assertion; those of several add up.
package struct Measurement: Hashable, Sendable {
    /// How devices stood with the broker at one second of the wall clock.
    package struct Tick: Hashable, Sendable {
        /// Those that were there.
        package var present: Int
        /// Those of them that were connected.
        package var online: Int
        /// How often they were connected since the start.
        package var connects: Int
        /// From how many processes that is.
        package var parts = 1
    }

    /// What became of commands.
    package var commands = CommandFigures()
    /// How many devices were looked at.
    package var devices = 0
    /// How many of them are as they should be.
    package var right = 0
    /// What is counted: samples, violations.
    package var count = 0
    /// Seconds since the start of the world, by their numbers.
    package var ticks: [Int: Tick] = [:]
    /// A device that is not as it should be.
    package var example: DeviceKey?

    package init() {}

    /// Adds what another process measured.
    package mutating func add(_ other: Measurement) {
        commands.add(other.commands)
        devices += other.devices
        right += other.right
        count += other.count
        example = example ?? other.example
        ticks.merge(other.ticks) { own, other in
            Tick(
                present: own.present + other.present, online: own.online + other.online,
                connects: own.connects + other.connects, parts: own.parts + other.parts)
        }
    }
}

// As one process tells it to another.
extension Measurement {
    package var members: JSONObject {
        var members: JSONObject = [
            "commands": .object(commands.members), "devices": .integer(devices),
            "right": .integer(right), "count": .integer(count),
            "ticks": .array(
                ticks.map { number, tick in
                    [
                        .integer(number), .integer(tick.present), .integer(tick.online),
                        .integer(tick.connects),
                    ]
                }),
        ]
        if let example {
            members["home"] = .string(example.home.text)
            members["device"] = .string(example.device.text)
        }
        return members
    }

    package init(_ members: JSONObject) {
        commands = CommandFigures(members["commands"]?.object ?? [:])
        devices = members["devices"]?.integer ?? 0
        right = members["right"]?.integer ?? 0
        count = members["count"]?.integer ?? 0
        for item in members["ticks"]?.array ?? [] {
            let numbers = item.array?.compactMap(\.integer) ?? []
            guard numbers.count == 4 else { continue }
            ticks[numbers[0]] = Tick(
                present: numbers[1], online: numbers[2], connects: numbers[3])
        }
        guard let home = members["home"]?.string.flatMap(HomeID.init(rawValue:)),
            let device = members["device"]?.string.flatMap(DeviceID.init(rawValue:))
        else { return }
        example = DeviceKey(home: home, device: device)
    }
}
