package import DeviceDomain

// What processes of one fleet tell each other of it.
extension FleetSnapshot {
    /// A part of a fleet as one line.
    package var members: JSONObject {
        [
            "devices": .integer(totalDevices), "ready": .integer(readyDevices),
            "connected": .integer(connectedDevices), "abandoned": .integer(abandonedDevices),
            "activities": .array(
                activities.map {
                    [.string($0.key.kind), .string($0.key.name), .integer($0.value)]
                }),
            "received": .object(tally.received.mapValues(JSONValue.integer)),
            "sent": .object(tally.sent.mapValues(JSONValue.integer)),
            "dropped": .object(tally.dropped.mapValues(JSONValue.integer)),
            "reconnects": .integer(tally.reconnects), "records": .integer(tally.journalRecords),
            "violations": .object(tally.violations.mapValues(JSONValue.integer)),
            "journal": .integer(journalBytes),
            "faults": .object(faults.mapValues(JSONValue.integer)),
            "lateness": .object(lateness.members), "latency": .object(commandLatency.members),
            "world": .number(worldSeconds), "ratio": .number(speedRatio),
        ]
    }

    /// Adds what another part of the fleet has told.
    package mutating func add(_ line: JSONObject) {
        totalDevices += line["devices"]?.integer ?? 0
        readyDevices += line["ready"]?.integer ?? 0
        connectedDevices += line["connected"]?.integer ?? 0
        abandonedDevices += line["abandoned"]?.integer ?? 0
        for item in line["activities"]?.array ?? [] {
            guard let parts = item.array, parts.count == 3, let kind = parts[0].string,
                let name = parts[1].string, let number = parts[2].integer
            else { continue }
            activities[Activity(kind: kind, name: name), default: 0] += number
        }
        tally.received.merge(line.numbers("received"), uniquingKeysWith: +)
        tally.sent.merge(line.numbers("sent"), uniquingKeysWith: +)
        tally.dropped.merge(line.numbers("dropped"), uniquingKeysWith: +)
        tally.reconnects += line["reconnects"]?.integer ?? 0
        tally.journalRecords += line["records"]?.integer ?? 0
        tally.violations.merge(line.numbers("violations"), uniquingKeysWith: +)
        journalBytes += line["journal"]?.integer ?? 0
        faults.merge(line.numbers("faults"), uniquingKeysWith: +)
        lateness.merge(MillisecondHistogram(line["lateness"]?.object ?? [:]))
        commandLatency.merge(MillisecondHistogram(line["latency"]?.object ?? [:]))
        speedRatio = min(speedRatio, line["ratio"]?.number ?? 1)
    }
}

extension JSONObject {
    /// The whole numbers of an object by name.
    fileprivate func numbers(_ name: String) -> [String: Int] {
        self[name]?.object?.compactMapValues(\.integer) ?? [:]
    }
}
