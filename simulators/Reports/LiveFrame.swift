package import Fleet
package import TerminalOutput

/// A running fleet in a few lines of a terminal.
package struct LiveFrame {
    /// What the lines begin with.
    package struct Clock: Hashable, Sendable {
        /// What the world clock shows, in local time.
        let text: String
        /// World seconds per second.
        let speed: Double
        let isPaused: Bool

        package init(text: String, speed: Double, isPaused: Bool) {
            self.text = text
            self.speed = speed
            self.isPaused = isPaused
        }
    }

    /// A snapshot with the time at which it was taken (monotonic clock).
    package struct Reading: Sendable {
        let snapshot: FleetSnapshot
        let at: Duration

        package init(_ snapshot: FleetSnapshot, at time: Duration) {
            self.snapshot = snapshot
            at = time
        }

        /// Whether all devices are ready.
        package var isReady: Bool { snapshot.isReady }
    }

    private let clock: Clock
    private let now: Reading
    private let former: Reading?
    private let layout: Layout

    /// How many characters a bar has.
    private static let barLength = 30

    /// - Parameter former: the reading before this one, which rates are measured from.
    package init(_ now: Reading, after former: Reading?, clock: Clock, in layout: Layout) {
        self.now = now
        self.former = former
        self.clock = clock
        self.layout = layout
    }

    /// The lines, each cut to the terminal.
    package var lines: [String] {
        let all: [Line?] = [head, devices] + kinds + [messages, commands, lateness, faults]
        return all.compactMap(\.self).map { line in
            let cut = layout.width.map { line.text.fitted(to: max($0 - 11, 1)) } ?? line.text
            return layout.paint(line.title.padded(to: 10), .faint) + " "
                + layout.paint(cut, tone(of: line.title))
        }
    }

    private var fleet: FleetSnapshot { now.snapshot }

    private typealias Line = (title: String, text: String)

    private var head: Line? {
        let speed = clock.isPaused ? "paused" : "speed \(NumberText.short(clock.speed))"
        let reached =
            !clock.isPaused && fleet.speedRatio < 0.98
            ? ", \(Int((fleet.speedRatio * 100).rounded())) % of it reached" : ""
        return ("world", "\(clock.text), \(speed)\(reached)")
    }

    /// A bar until all are ready.
    private var devices: Line? {
        let (ready, total) = (fleet.readyDevices, fleet.totalDevices)
        guard ready < total else { return ("devices", "all \(total) ready") }
        let filled = total == 0 ? 0 : ready * Self.barLength / total
        let bar =
            String(repeating: "█", count: filled)
            + String(repeating: "░", count: Self.barLength - filled)
        let lost = fleet.abandonedDevices
        return (
            "devices",
            "\(bar) \(ready) of \(total) ready, \(fleet.connectedDevices) connected"
                + (lost > 0 ? ", \(lost) given up" : "")
        )
    }

    /// A line for each kind, with its states.
    private var kinds: [Line?] {
        var kinds: [String: [(name: String, count: Int)]] = [:]
        for (activity, count) in fleet.activities {
            kinds[activity.kind, default: []].append((activity.name, count))
        }
        return kinds.sorted { $0.key < $1.key }.map { kind, states -> Line? in
            let states = states.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
            return (
                "", "\(kind): " + states.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
            )
        }
    }

    private var messages: Line? {
        guard let former else { return nil }
        let passed = max((now.at - former.at) / .seconds(1), 0.001)
        func rate(_ figure: (FleetTally) -> Int) -> String {
            let count = figure(fleet.tally) - figure(former.snapshot.tally)
            return NumberText.short((Double(count) / passed * 10).rounded() / 10)
        }
        let sent = rate { $0.sent.values.reduce(0, +) }
        let received = rate { $0.received.values.reduce(0, +) }
        return ("messages", "\(sent) sent and \(received) received per second")
    }

    private var commands: Line? {
        let times = fleet.commandLatency
        guard times.total > 0 else { return nil }
        return (
            "commands",
            "\(times.total) ended, p50 \(NumberText.milliseconds(times.quantile(0.5))), "
                + "p99 \(NumberText.milliseconds(times.quantile(0.99)))"
        )
    }

    /// Told where samples are made noticeably late.
    private var lateness: Line? {
        let late = fleet.lateness.quantile(0.99)
        guard late >= 100 else { return nil }
        return ("lateness", "p99 of samples \(NumberText.milliseconds(late))")
    }

    private var faults: Line? {
        let faults = fleet.faults.filter { $0.value > 0 }.sorted { $0.key < $1.key }
        guard !faults.isEmpty else { return nil }
        return ("faults", faults.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }

    private func tone(of title: String) -> Tone {
        switch title {
        case "faults", "lateness": .bad
        case "devices" where fleet.isReady: .good
        case _: .plain
        }
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, count - self.count))
    }
}
