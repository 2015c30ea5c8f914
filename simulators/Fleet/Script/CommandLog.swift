package import DeviceDomain
package import DeviceMessages

/// The commands of a script: when each was meant to be sent, and what was heard of it.
package struct CommandLog: Sendable {
    /// The final ack of a command.
    private struct End: Sendable {
        /// When it came (world time from the epoch).
        let at: Duration
        /// How the command ended.
        let stage: AckStage
    }

    private struct Entry: Sendable {
        let device: DeviceKey
        /// When it was meant to be sent (world time from the epoch).
        let at: Duration
        /// Its final ack; `nil` while none has come.
        var end: End?
        /// From the moment at which it was meant to be sent to its final ack.
        var latency = Duration.zero
        /// How often its effect was started, as far as an ack says.
        var executions = 0
        /// The numbers of its acks that were heard.
        var heard: Set<Int> = []
        /// When acks came again (world time from the epoch).
        var repeats: [Duration] = []
    }

    private var entries: [CommandID: Entry] = [:]

    package init() {}

    /// Notes a command.
    /// - Parameter time: when it was meant to be sent (world time from the epoch).
    package mutating func note(_ id: CommandID, for device: DeviceKey, meantAt time: Duration) {
        entries[id] = Entry(device: device, at: time)
    }

    /// Notes an ack; one of a command that is not in the log is ignored.
    /// - Parameters:
    ///   - time: when it came (world time from the epoch).
    ///   - latency: from the moment at which the command was meant to be sent.
    package mutating func note(_ ack: AckMessage, at time: Duration, latency: Duration) {
        guard var entry = entries[ack.id], entry.device.device == ack.device else { return }
        entry.executions = max(entry.executions, ack.executions)
        if !entry.heard.insert(ack.n).inserted, !ack.isReplay { entry.repeats.append(time) }
        if ack.isFinal, entry.end == nil {
            entry.end = End(at: time, stage: ack.stage)
            entry.latency = latency
        }
        entries[ack.id] = entry
    }

    /// Whether a command is in the log and has not ended.
    package func isOpen(_ id: CommandID) -> Bool { entries[id].map { $0.end == nil } ?? false }

    /// Counts the commands of another log too.
    package mutating func add(_ other: CommandLog) {
        entries.merge(other.entries) { own, _ in own }
    }

    /// All commands, by how they ended: what a report says of them.
    package var tally: CommandTally {
        var tally = CommandTally()
        for entry in entries.values {
            tally.note(endedAs: entry.end?.stage, after: entry.latency)
        }
        return tally
    }

    /// What became of commands.
    /// - Parameters:
    ///   - devices: those to which they were sent.
    ///   - window: from when to when they were meant to be sent (world time from the epoch).
    ///   - time: up to when acks count (world time from the epoch).
    package func figures(
        of devices: Set<DeviceKey>, meantWithin window: ClosedRange<Duration>, upTo time: Duration
    ) -> CommandFigures {
        var figures = CommandFigures()
        var (repeating, leaving) = (Set<DeviceKey>(), Set<DeviceKey>())
        for entry in entries.values
        where window.contains(entry.at) && devices.contains(entry.device) {
            figures.sent += 1
            figures.executions = max(figures.executions, entry.executions)
            figures.note(.executed, of: entry.device, at: entry.at, size: entry.executions)
            for repetition in entry.repeats where repetition <= time {
                figures.repeatedAcks += 1
                repeating.insert(entry.device)
                figures.note(.repeated, of: entry.device, at: repetition)
            }
            if let end = entry.end, end.at <= time {
                let latency = entry.latency.wholeMilliseconds
                figures.latency.add(milliseconds: latency)
                figures.note(.slow, of: entry.device, at: entry.at, size: latency)
            } else {
                figures.open += 1
                leaving.insert(entry.device)
                figures.note(.open, of: entry.device, at: entry.at)
            }
        }
        figures.devices = [.repeated: repeating.count, .open: leaving.count]
        return figures
    }
}

/// What became of commands, in figures.
package struct CommandFigures: Hashable, Sendable {
    /// How many were sent.
    package var sent = 0
    /// How many have no final ack.
    package var open = 0
    /// How many acks came again that answered no repeated command.
    package var repeatedAcks = 0
    /// How often the effect of one command was started at most.
    package var executions = 0
    /// From the moment at which a command was meant to be sent to its final ack.
    package var latency = MillisecondHistogram()
    /// The commands that stand out most.
    package private(set) var examples: [CommandExample.Kind: CommandExample] = [:]
    /// How many devices have commands that stand out like this: without a final ack, or with one that came again.
    package fileprivate(set) var devices: [CommandExample.Kind: Int] = [:]

    package init() {}

    /// Notes a command that may stand out.
    fileprivate mutating func note(
        _ kind: CommandExample.Kind, of device: DeviceKey, at time: Duration, size: Int = 0
    ) {
        let example = CommandExample(device: device, at: time, size: size)
        examples[kind] = max(examples[kind] ?? example, example)
    }

    /// Counts what became of commands to other devices too.
    package mutating func add(_ other: CommandFigures) {
        sent += other.sent
        open += other.open
        examples.merge(other.examples, uniquingKeysWith: max)
        devices.merge(other.devices, uniquingKeysWith: +)
        repeatedAcks += other.repeatedAcks
        executions = max(executions, other.executions)
        latency.merge(other.latency)
    }

    /// As one process tells it to another.
    package var members: JSONObject {
        let examples = examples.map { ($0.key.rawValue, JSONValue.object($0.value.members)) }
        let devices = devices.map { ($0.key.rawValue, JSONValue.integer($0.value)) }
        return [
            "devices": .object(Dictionary(uniqueKeysWithValues: devices)),
            "sent": .integer(sent), "open": .integer(open), "repeated": .integer(repeatedAcks),
            "executions": .integer(executions), "latency": .object(latency.members),
            "examples": .object(Dictionary(uniqueKeysWithValues: examples)),
        ]
    }

    /// What another process has told.
    package init(_ members: JSONObject) {
        sent = members["sent"]?.integer ?? 0
        open = members["open"]?.integer ?? 0
        repeatedAcks = members["repeated"]?.integer ?? 0
        executions = members["executions"]?.integer ?? 0
        latency = MillisecondHistogram(members["latency"]?.object ?? [:])
        for (name, count) in members["devices"]?.object ?? [:] {
            guard let kind = CommandExample.Kind(rawValue: name) else { continue }
            devices[kind] = count.integer
        }
        for (name, example) in members["examples"]?.object ?? [:] {
            guard let kind = CommandExample.Kind(rawValue: name) else { continue }
            examples[kind] = example.object.flatMap(CommandExample.init)
        }
    }
}
