import DeviceDomain
import DeviceSimulation
package import Fleet
import YAMLText

/// Everything that is wrong in a scenario.
package struct ScenarioProblems: Error, Hashable, Sendable, CustomStringConvertible {
    /// A line for each problem, `FILE:LINE:COLUMN: text`, in the order of the file.
    package let lines: [String]

    /// The lines below each other.
    package var description: String { lines.joined(separator: "\n") }
}

extension Scenario {
    /// Reads a file. Blocks on the file system.
    /// - Parameter speed: how fast its world is to go, whatever the file says; `nil` as the file says.
    /// - Throws: ``ScenarioProblems`` with everything that is wrong in it.
    package init(path: String, at speed: WorldSpeed? = nil) throws(ScenarioProblems) {
        let text: String
        do {
            text = try TextFile(path: path, for: "scenario").text()
        } catch {
            throw ScenarioProblems(lines: ["\(error)"])
        }
        try self.init(text, path: path, at: speed)
    }

    /// Reads the text of a file.
    /// - Parameters:
    ///   - path: where it is, for messages.
    ///   - speed: how fast its world is to go, whatever the file says; `nil` as the file says.
    /// - Throws: ``ScenarioProblems`` with everything that is wrong in it.
    package init(
        _ text: String, path: String, at speed: WorldSpeed? = nil
    ) throws(ScenarioProblems) {
        let root: YAMLNode?
        do {
            root = try YAMLDocument(text, path: path).root
        } catch {
            throw ScenarioProblems(lines: ["\(error)"])
        }
        guard let root else {
            throw ScenarioProblems(
                lines: ["\(path):1:1: this file is empty; write at least devices and duration"])
        }
        var reader = ScenarioReader()
        let scenario = reader.scenario(root, at: speed)
        let problems = reader.problems.sorted {
            ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0)
        }
        guard problems.isEmpty else {
            throw ScenarioProblems(lines: problems.map(\.description))
        }
        self = scenario
        self.text = text
    }
}

extension ScenarioReader {
    fileprivate mutating func scenario(_ root: YAMLNode, at speed: WorldSpeed?) -> Scenario {
        var scenario = Scenario()
        let members = members(root, .scenario)
        scenario.name = text(members["name"])
        scenario.seed = whole(members["seed"], in: 0...JSONValue.largestInteger).map(UInt64.init)
        scenario.epoch = instant(members["epoch"])
        scenario.speed = self.speed(members["speed"])
        scenario.regions = whole(members["regions"], in: ScenarioShape.homeCounts) ?? 1
        scenario.stages = stages(members["stages"])
        scenario.duration = duration(members["duration"], of: scenario.stages, root)
        var gaps = ScenarioGaps()
        let homes = whole(members["homes"], in: ScenarioShape.homeCounts)
        gaps.areHomesUnknown = homes == nil && members["homes"] != nil
        scenario.homes = homes ?? 1
        scenario.groups = groups(members["devices"], gaps: &gaps)
        let context = ScenarioContext(
            plan: plan(of: scenario, members["devices"]), gaps: gaps, end: scenario.duration,
            isVirtual: scenario.speed == .max && speed ?? .max == .max,
            runsVirtually: (speed ?? scenario.speed) == .max)
        scenario.commands = items(members["commands"]).compactMap { command($0, in: context) }
        scenario.faults = items(members["faults"]).compactMap { fault($0, in: context) }
        scenario.assertions = assertions(members["assertions"], in: context)
        return scenario
    }

    /// How long it takes: at least as long as its stages.
    private mutating func duration(
        _ node: YAMLNode?, of stages: [Scenario.Stage], _ root: YAMLNode
    ) -> Duration? {
        let staged = stages.reduce(Duration.zero) { $0 + $1.duration }
        guard let node else {
            if stages.isEmpty {
                note(root.error("duration is missing; say how long it takes, such as duration: 1h"))
                return nil
            }
            return staged
        }
        guard let duration = time(node, in: .milliseconds(1) ... .seconds(87_600 * 3600)) else {
            return nil
        }
        if staged > duration {
            note(node.error("the stages take \(staged.written), longer than \(duration.written)"))
        }
        return duration
    }

    /// The devices, for what is aimed at them; `nil` where there are none, or too many.
    private mutating func plan(of scenario: Scenario, _ node: YAMLNode?) -> FleetPlan? {
        guard let node, !scenario.groups.isEmpty else { return nil }
        let count = scenario.groups.reduce(0) { $0 + $1.count } * scenario.homes
        guard count <= ScenarioShape.mostDevices else {
            note(
                node.error(
                    "\(scenario.homes) homes make \(count) devices; at most "
                        + "\(ScenarioShape.mostDevices) are possible"))
            return nil
        }
        guard count > 0 else {
            note(node.error("there is nothing to simulate; give a group a count above 0"))
            return nil
        }
        return FleetPlan(homes: .numbered(scenario.homes), groups: scenario.groups, seed: 1)
    }

    private mutating func stages(_ node: YAMLNode?) -> [Scenario.Stage] {
        var names: Set<String> = []
        return items(node).compactMap { item in
            let members = members(item, .stage)
            let name = text(members["name"])
            if let name, !names.insert(name).inserted {
                note(item.error("the stage \(name) is given twice; give each its own name"))
            }
            let duration = time(
                members["for"], in: .milliseconds(1) ... .seconds(87_600 * 3600))
            let connect = flow(members["connect"], in: duration)
            let disconnect = flow(members["disconnect"], in: duration)
            guard let name, let duration else { return nil }
            return Scenario.Stage(
                name: name, duration: duration, connect: connect, disconnect: disconnect)
        }
    }

    private mutating func flow(_ node: YAMLNode?, in stage: Duration?) -> Scenario.Stage.Flow? {
        guard let node else { return nil }
        let members = members(node, .flow)
        switch (members["per-second"], members["within"]) {
        case (let rate?, nil):
            guard let number = number(rate, in: ScenarioShape.flowRates) else { return nil }
            if let stage, number * stage.seconds > ScenarioShape.mostEvents {
                note(rate.error("that makes more than 1,000,000 comings or goings in this stage"))
            }
            return .perSecond(number)
        case (nil, let time?):
            guard let within = self.time(time) else { return nil }
            if let stage, within > stage {
                note(time.error("\(within.written) is longer than the stage"))
            }
            return .within(within)
        case (nil, nil), (_?, _?):
            note(node.error("write one of per-second and within"))
            return nil
        }
    }
}
