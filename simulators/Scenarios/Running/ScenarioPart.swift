import DeviceDomain
import DeviceMessages
import DeviceSimulation
import DeviceTopics
package import Fleet

/// What one process of a run does for a scenario: it sends the commands to its devices, and measures them.
package actor ScenarioPart {
    /// How often devices are counted, by the wall clock.
    private static let tick = Duration.seconds(1)
    /// How long it is waited at most until the clock is looked at again, which may have been paused.
    private static let longestWait = Duration.milliseconds(200)
    /// How long the broker may take to say what it retains.
    private static let readingLimit = Duration.seconds(5)
    /// How often what the broker retains is read again where a device says something else: it may have changed meanwhile.
    private static let readings = 3

    private let plan: ScenarioPlan
    private let fleet: Fleet
    private let controllers: ScenarioControllers
    private let clock: FleetClock
    /// The commands to its devices.
    private let commands: [ScriptedCommand]
    /// For each assertion, the places of its devices.
    private let places: [[Int]]
    private let devices: [[DeviceKey]]
    /// For each assertion about a stretch of time, what was counted.
    private var ticks: [Int: [Int: Measurement.Tick]] = [:]
    /// The commands that it sent, by how they ended; none until ``finish()``.
    package private(set) var tally = CommandTally()

    /// - Parameters:
    ///   - own: the devices of this process, in the order of `fleet`.
    ///   - controllers: connect when this runs.
    package init(
        _ plan: ScenarioPlan, of own: FleetPlan, in fleet: Fleet,
        sendingWith controllers: ScenarioControllers, clock: FleetClock
    ) {
        self.plan = plan
        self.fleet = fleet
        self.controllers = controllers
        self.clock = clock
        commands = plan.script.part(of: Set(own.devices.map(\.key))).commands
        places = plan.scenario.assertions.map { assertion in
            let keys = plan.devices(of: assertion)
            return own.devices.indices.filter { keys.contains(own.devices[$0].key) }
        }
        devices = places.map { $0.map { own.devices[$0].key } }
    }

    /// Sends commands and counts devices until it is cancelled.
    package func run() async {
        await controllers.connect()
        let beginning = clock.now
        let begin = beginning.monotonic - passed(at: beginning) / clock.speed
        var next = 0
        var number = 0
        while !Task.isCancelled {
            let now = clock.now
            let passed = passed(at: now)
            let due = commands[next...].prefix { $0.at <= passed }
            next += due.count
            if !due.isEmpty { await controllers.send(Array(due)) }
            if now.monotonic >= begin + Self.tick * number {
                number = Int((now.monotonic - begin) / Self.tick)
                await count(number, at: passed)
                number += 1
            }
            var wait = min(Self.longestWait, begin + Self.tick * number - now.monotonic)
            if next < commands.count, now.pace > 0 {
                wait = min(wait, (commands[next].at - passed) / now.pace)
            }
            // It ends early where the run ends.
            try? await Task.sleep(for: max(wait, .zero))
        }
    }

    /// Counts the commands, and ends the connections. Nothing is measured afterwards.
    package func finish() async {
        tally = await controllers.tally()
        await controllers.close()
    }

    private func passed(at moment: DeviceMoment) -> Duration { moment.world.since(clock.epoch) }

    /// Counts devices for the assertions about a stretch of time.
    private func count(_ number: Int, at passed: Duration) async {
        for (index, assertion) in plan.scenario.assertions.enumerated()
        where assertion.isCounted(at: passed) {
            let figures = await fleet.connections(of: places[index])
            ticks[index, default: [:]][number] = Measurement.Tick(
                present: figures.present, online: figures.online, connects: figures.connects)
        }
    }

    /// What this process measures for an assertion.
    /// - Parameter index: its number in the scenario.
    package func measure(_ index: Int) async -> Measurement {
        var measured = Measurement()
        let assertion = plan.scenario.assertions[index]
        switch assertion.metric {
        case .onlineShare, .connectRate:
            let figures = await fleet.connections(of: places[index])
            measured.devices = figures.present
            measured.right = figures.online
            measured.example = figures.firstOffline
            measured.ticks = ticks[index] ?? [:]
        case .executionsPerCommand, .duplicateAcks, .openCommands, .commandP50, .commandP99:
            measured.commands = await controllers.figures(
                of: Set(devices[index]), meantWithin: assertion.commandWindow)
        case .lostSamples:
            let lost = await controllers.lostSamples(of: Set(devices[index]))
            (measured.count, measured.example) = (lost.count, lost.first)
        case .invariantViolations:
            let tally = await fleet.snapshot().tally
            measured.count = tally.violations.values.reduce(0, +)
        case .convergedShare: await measureConvergence(of: places[index], into: &measured)
        }
        return measured
    }

    // MARK: Convergence

    private func measureConvergence(of places: [Int], into measured: inout Measurement) async {
        for _ in 0..<Self.readings {
            let keys = await fleet.retainedViews(of: places).map(\.key)
            let retained = await controllers.retainedMessages(of: keys, within: Self.readingLimit)
            let views = await fleet.retainedViews(of: places)
            let different = views.filter { !$0.isRetained(in: retained) }
            measured.devices = views.count
            measured.right = views.count - different.count
            measured.example = different.first?.key
            if different.isEmpty { return }
        }
    }
}

extension Scenario.Assertion {
    /// Whether devices are counted for it at a time.
    fileprivate func isCounted(at time: Duration) -> Bool {
        switch metric {
        case .connectRate: break
        case .onlineShare: guard isWindow else { return false }
        case .executionsPerCommand, .duplicateAcks, .openCommands, .commandP50, .commandP99,
            .lostSamples, .invariantViolations, .convergedShare:
            return false
        }
        return (from ?? .zero) <= time && to.map { time <= $0 } ?? true
    }

    /// When the commands were meant to be sent that it is about.
    package var commandWindow: ClosedRange<Duration> {
        let last = to ?? at ?? .seconds(Int64.max / 2)
        return min(from ?? .zero, last)...last
    }
}

extension RetainedView {
    /// Whether this is what a broker retains.
    /// - Parameter messages: what it retains, by topic.
    fileprivate func isRetained(in messages: [String: [UInt8]]) -> Bool {
        func payload(_ topic: DeviceTopic) -> [UInt8]? { messages[topic.text] }
        guard let presence = payload(.presence(key.home, key.device)),
            let message = try? PresenceMessage(payload: presence), message.report.boot == boot,
            payload(.description(key.home, key.device)) == description
        else { return false }
        switch message.report.status {
        case .online: return isOnline && payload(.state(key.home, key.device)) == state
        // What an offline device would say now it says when it is back.
        case .offline: return !isOnline
        }
    }
}
