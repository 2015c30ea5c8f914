import DeviceDomain

/// How a fleet went over the time of its world: a few hundred stretches of equal length.
///
/// They begin with the epoch and are one second long at first. When there are more than ``mostStretches``, two
/// become one, so that a run of any length has 300 to 600 of them.
package struct RunSeries: Hashable, Sendable {
    /// What a shard has counted up to a moment.
    struct Figures: Hashable, Sendable {
        /// Devices with an accepted connection now.
        var online = 0
        /// Messages that came or were handed to a connection.
        var messages = 0
        /// Commands that ended.
        var commands = 0
        /// The sum of the times that these took, ms.
        var latencyMs = 0
    }

    /// One stretch.
    package struct Stretch: Hashable, Sendable {
        /// Devices with an accepted connection at its end; the fewest, where it was made of several.
        package internal(set) var online = 0
        /// Messages that came or were handed to a connection.
        package internal(set) var messages = 0
        /// Commands that ended.
        package internal(set) var commands = 0
        /// The sum of the times that these took, ms.
        package internal(set) var latencyMs = 0

        /// The mean time that a command took, ms; `nil` where none ended.
        package var meanLatencyMs: Double? {
            commands > 0 ? Double(latencyMs) / Double(commands) : nil
        }

        fileprivate mutating func append(_ next: Stretch) {
            online = min(online, next.online)
            messages += next.messages
            commands += next.commands
            latencyMs += next.latencyMs
        }

        fileprivate mutating func add(_ other: Stretch) {
            online += other.online
            messages += other.messages
            commands += other.commands
            latencyMs += other.latencyMs
        }
    }

    /// How many stretches there are at most.
    static let mostStretches = 600

    /// The length of a stretch, in whole world seconds.
    package private(set) var seconds = 1
    /// The stretches, from the epoch on; the last one may not be over.
    package private(set) var stretches: [Stretch] = []
    /// What the stretches that are over have counted.
    private var counted = Figures()

    package init() {}

    /// Whether a stretch is over, so that there is something to note.
    /// - Parameter passed: the time since the epoch.
    func isOver(at passed: Duration) -> Bool { place(of: passed) >= stretches.count }

    /// Notes what was counted up to an instant.
    /// - Parameter passed: the time since the epoch.
    mutating func note(at passed: Duration, _ figures: Figures) {
        guard isOver(at: passed) else { return }
        close(with: figures)
        while place(of: passed) >= Self.mostStretches { coarsen() }
        while stretches.count <= place(of: passed) {
            stretches.append(Stretch(online: figures.online))
        }
    }

    /// The series up to now.
    func closed(with figures: Figures) -> RunSeries {
        var series = self
        series.close(with: figures)
        return series
    }

    /// Adds the series of another part of the fleet.
    mutating func merge(_ other: RunSeries) {
        var other = other
        while seconds < other.seconds { coarsen() }
        while other.seconds < seconds { other.coarsen() }
        let count = max(stretches.count, other.stretches.count)
        lengthen(to: count)
        other.lengthen(to: count)
        for place in stretches.indices { stretches[place].add(other.stretches[place]) }
    }

    private func place(of passed: Duration) -> Int {
        max(0, passed.wholeMilliseconds) / (1000 * seconds)
    }

    /// Gives the last stretch what was counted since the one before it was over.
    private mutating func close(with figures: Figures) {
        guard let last = stretches.indices.last else { return }
        stretches[last].online = figures.online
        stretches[last].messages += figures.messages - counted.messages
        stretches[last].commands += figures.commands - counted.commands
        stretches[last].latencyMs += figures.latencyMs - counted.latencyMs
        counted = figures
    }

    private mutating func coarsen() {
        seconds *= 2
        stretches = stride(from: 0, to: stretches.count, by: 2).map { place in
            var pair = stretches[place]
            if place + 1 < stretches.count { pair.append(stretches[place + 1]) }
            return pair
        }
    }

    /// Nothing happens in what is missing at the end; who is online stays so.
    private mutating func lengthen(to count: Int) {
        let online = stretches.last?.online ?? 0
        while stretches.count < count { stretches.append(Stretch(online: online)) }
    }
}

extension RunSeries {
    /// As a report has it, and as one process tells it to another: a list for each figure.
    var members: JSONObject {
        func list(_ figure: (Stretch) -> Int) -> JSONValue {
            .array(stretches.map { .integer(figure($0)) })
        }
        return [
            "seconds": .integer(seconds), "online": list(\.online), "messages": list(\.messages),
            "commands": list(\.commands), "latencyMs": list(\.latencyMs),
        ]
    }

    /// What a report says; without stretches where that is no series.
    init(_ members: JSONObject) {
        func list(_ name: String) -> [Int] { members[name]?.array?.compactMap(\.integer) ?? [] }
        let (online, messages) = (list("online"), list("messages"))
        let (commands, latencies) = (list("commands"), list("latencyMs"))
        let count = online.count
        guard let seconds = members["seconds"]?.integer, seconds > 0,
            [messages, commands, latencies].allSatisfy({ $0.count == count })
        else { return }
        self.seconds = seconds
        stretches = online.indices.map {
            Stretch(
                online: online[$0], messages: messages[$0], commands: commands[$0],
                latencyMs: latencies[$0])
        }
    }
}
