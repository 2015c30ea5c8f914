import DeviceDomain
import DeviceMessages
import DeviceSimulation

/// Commands of a run by how they ended: those that devices took, as they recorded them, or those of a scenario, by the
/// final acks that it heard (``CommandLog/tally``).
package struct CommandTally: Hashable, Sendable {
    /// A command of a device.
    private struct Name: Hashable {
        let device: Int
        let command: CommandKey
    }

    /// The ends that a report names, in its order.
    static let ends: [AckStage] = [
        .succeeded, .failed, .rejected, .expired, .cancelled, .superseded,
    ]

    /// The longest that a command can wait to be started (PROTOCOL section 2).
    private static let longestWait = Duration.seconds(24 * 3600)

    /// Commands that a device took into its record, or that a scenario sent.
    private(set) var sent = 0
    /// Those that ended, by the stage of their last acknowledgement.
    private(set) var ended: [AckStage: Int] = [:]
    /// From the time at which the command was meant to be sent, which its id has, to its last acknowledgement.
    package private(set) var latency = MillisecondHistogram()
    /// When those were meant to be sent that have not ended (wire clock).
    private var begun: [Name: Timestamp] = [:]

    /// Those that have not ended.
    var open: Int { sent - ended.values.reduce(0, +) }

    package init() {}

    /// Notes a command of a scenario.
    /// - Parameters:
    ///   - stage: that of its final ack; `nil` where none was heard.
    ///   - latency: from the time at which it was meant to be sent to that ack.
    mutating func note(endedAs stage: AckStage?, after latency: Duration) {
        sent += 1
        guard let stage else { return }
        ended[stage, default: 0] += 1
        self.latency.add(milliseconds: latency.wholeMilliseconds)
    }

    /// Notes what a device recorded.
    /// - Parameter scenario: whose commands do not count; `nil` for those of nobody.
    mutating func note(
        _ record: JournalRecord, of device: Int, except scenario: ControllerID? = nil
    ) {
        switch record {
        case .entered(let entry) where entry.command.controller == scenario: break
        case .entered(let entry):
            sent += 1
            begun[Name(device: device, command: entry.command)] = Self.beginning(of: entry)
            if entry.isFinished { end(entry.command, entry.ack, of: device) }
        case .finished(let finals, _):
            for final in finals { end(final.command, final.ack, of: device) }
        case .started, .progressed, .confirmed, .evicted, .promised, .released, .sequenced, .state,
            .memory, .committed, .lost:
            break
        }
    }

    /// The time in the id of a command. An id of a clock that is ahead, or of a time at which no command can have been
    /// sent that arrives now, says nothing: then the time of the arrival.
    private static func beginning(of entry: JournalEntry) -> Timestamp {
        let (made, arrival) = (entry.command.id.time, entry.ack.at)
        return made <= arrival && arrival.since(made) <= longestWait ? made : arrival
    }

    private mutating func end(_ command: CommandKey, _ ack: AckMessage, of device: Int) {
        // One that came before this run is no part of it.
        guard let start = begun.removeValue(forKey: Name(device: device, command: command)) else {
            return
        }
        ended[ack.stage, default: 0] += 1
        latency.add(milliseconds: ack.at.since(start).wholeMilliseconds)
    }

    /// Counts the commands of other devices too.
    package mutating func merge(_ other: CommandTally) {
        sent += other.sent
        ended.merge(other.ended, uniquingKeysWith: +)
        latency.merge(other.latency)
    }

    func write(to json: inout JSONWriter) {
        json.writeObject { json in
            json.writeName("sent")
            json.write(sent)
            for stage in Self.ends {
                json.writeName(stage.rawValue)
                json.write(ended[stage] ?? 0)
            }
            json.writeName("open")
            json.write(open)
            json.writeName("latencyMs")
            latency.write(MillisecondHistogram.reportedLatency, to: &json)
        }
    }
}

extension CommandTally {
    /// As one process tells it to another.
    var members: JSONObject {
        var members: JSONObject = ["sent": .integer(sent), "latency": .object(latency.members)]
        for (stage, number) in ended { members[stage.rawValue] = .integer(number) }
        return members
    }

    /// What another process has told.
    init(_ members: JSONObject) {
        sent = members["sent"]?.integer ?? 0
        latency = MillisecondHistogram(members["latency"]?.object ?? [:])
        for stage in Self.ends { ended[stage] = members[stage.rawValue]?.integer }
    }
}
