import DeviceDomain
import DeviceSimulation
import Fleet
import YAMLText

/// What commands, faults and assertions of a scenario are checked against.
struct ScenarioContext {
    /// The devices; `nil` where they could not be read.
    let plan: FleetPlan?
    /// What of the devices could not be read.
    let gaps: ScenarioGaps
    /// The end of the scenario; `nil` where it is not known.
    let end: Duration?
    /// Whether the file says that it runs without a broker.
    let isVirtual: Bool
    /// Whether this run goes without a broker, because of the file or of an option.
    let runsVirtually: Bool
}

// Commands, faults and assertions.
extension ScenarioReader {
    /// The devices that are meant and whose models are known; `nil` where there are none, which is noted, or where
    /// that is not known.
    private mutating func devices(
        _ node: YAMLNode?, in context: ScenarioContext
    ) -> (target: String, devices: [PlannedDevice])? {
        guard let node, let target = text(node), let plan = context.plan else { return nil }
        let devices = plan.devices(inScenario: target)
        guard !devices.isEmpty else {
            guard !context.gaps.mayMean(target) else { return nil }
            note(
                node.error(
                    "no device is meant by \(target)"
                        + Suggestion.question(about: target, among: plan.targetNames)
                        + "; write all, a group, a kind, a device, a home, HOME/DEVICE, "
                        + "access-point:NAME or feeder:NAME"))
            return nil
        }
        return (target, context.gaps.checkable(devices))
    }

    private func meantCount(_ node: YAMLNode?, in context: ScenarioContext) -> Int? {
        guard let target = try? node?.text() else { return nil }
        return context.plan?.devices(inScenario: target).count
    }

    // MARK: Commands

    mutating func command(_ node: YAMLNode, in context: ScenarioContext) -> Scenario.Command? {
        let members = members(node, .command)
        let at = time(members["at"], upTo: context.end)
        let every = time(
            members["every"], in: ScenarioShape.shortestPeriod ... .seconds(87_600 * 3600))
        let jitter = time(members["jitter"]) ?? .zero
        let until = time(members["until"], upTo: context.end)
        if let at, let until, until < at, let place = members["until"] {
            note(place.error("\(until.written) is before \(at.written), when it is sent first"))
        }
        if let every, jitter > every, let place = members["jitter"] {
            note(
                place.error(
                    "\(jitter.written) is longer than from one time to the next, "
                        + every.written))
        }
        if let until = members["until"], members["every"] == nil {
            note(until.error("until is for a command with every: leave it out, or add every"))
        }
        if let at, let every, let last = until ?? context.end, let place = members["every"],
            let count = meantCount(members["to"], in: context),
            Double(count) * (last - at).seconds / every.seconds > ScenarioShape.mostEvents
        {
            note(place.error("that makes more than 1,000,000 commands; send them less often"))
        }
        let lane = choice(members["lane"], "lanes", of: CommandLane.allCases.map(\.rawValue))
            .flatMap(CommandLane.init(rawValue:))
        let meant = devices(members["to"], in: context)
        let name = text(members["name"]).map(CommandName.init(rawValue:))
        let arguments = arguments(members, name, meant?.devices ?? [])
        guard let at, let name, let target = meant?.target else { return nil }
        return Scenario.Command(
            at: at, every: every, jitter: jitter, until: until, target: target, name: name,
            arguments: arguments, lane: lane)
    }

    /// The arguments of a command, checked against what each model that is meant declares.
    private mutating func arguments(
        _ members: [String: YAMLNode], _ name: CommandName?, _ devices: [PlannedDevice]
    ) -> JSONObject {
        guard let name, let place = members["name"] else { return [:] }
        var arguments: JSONObject?
        for model in Set(devices.map(\.identity.model)).sorted(by: { $0.rawValue < $1.rawValue }) {
            guard let commands = try? DeviceFactory.standard.blueprint(of: model).commands else {
                continue
            }
            guard let specification = commands.first(where: { $0.name == name }) else {
                let names = commands.map(\.name.rawValue)
                note(
                    place.error(
                        "\(model.rawValue) has no command \(name.rawValue)"
                            + Suggestion.question(about: name.rawValue, among: names)
                            + "; it takes \(names.joined(separator: ", "))"))
                return [:]
            }
            guard !specification.needsIfRevision else {
                note(
                    place.error(
                        "\(name.rawValue) needs the revision of the device's state, which a "
                            + "scenario does not know: leave it out"))
                return [:]
            }
            guard let read = values(members["arguments"], specification, place) else { return [:] }
            arguments = arguments ?? read
        }
        return arguments ?? [:]
    }

    private mutating func values(
        _ node: YAMLNode?, _ specification: CommandSpecification, _ place: YAMLNode
    ) -> JSONObject? {
        let schema = specification.arguments
        let read = node.map { node in
            attempt { () throws(YAMLProblem) in try YAMLValues.members(node, schema) }
        }
        guard let values = read ?? [:] else { return nil }
        do throws(ArgumentViolation) {
            try schema?.check(values)
            return values
        } catch {
            note((node ?? place).error("\(specification.name.rawValue): \(error)"))
            return nil
        }
    }

    // MARK: Faults

    mutating func fault(_ node: YAMLNode, in context: ScenarioContext) -> Scenario.FaultItem? {
        let members = members(node, .fault)
        let share = self.share(members["share"])
        if share <= 0, let place = members["share"] { note(place.error("a share is above 0")) }
        let time = faultTime(members, node, in: context)
        let lasting = self.time(members["for"], in: .milliseconds(1) ... .seconds(87_600 * 3600))
        let order = order(members, lasting: lasting)
        let meant = devices(members["on"], in: context)
        if let order, let meant, let place = members["on"] {
            check(order, meant.devices, place)
        }
        if let place = members["fault"], let name = order?.name, name.actsOnNetwork,
            context.runsVirtually
        {
            note(
                place.error(
                    "\(name.rawValue) acts on the connection to a broker, and with speed: max there is "
                        + "none: run it at another speed, or write offline, which holds at any speed"
                ))
        }
        guard let order, let time, let target = meant?.target else { return nil }
        return Scenario.FaultItem(order: order, target: target, share: share, time: time)
    }

    /// Which part of the devices has a fault; all where that is missing or wrong.
    private mutating func share(_ node: YAMLNode?) -> Double {
        guard let node else { return 1 }
        guard let text = try? node.text(), text.hasSuffix("%"),
            let percent = Double(text.dropLast()), (0...100).contains(percent)
        else { return number(node, in: 0...1) ?? 1 }
        note(node.error("a share is a part of 1: write \(Self.text(percent / 100)) for \(text)"))
        return 1
    }

    private mutating func faultTime(
        _ members: [String: YAMLNode], _ node: YAMLNode, in context: ScenarioContext
    ) -> Scenario.FaultItem.Time? {
        switch (members["at"], members["rate"]) {
        case (let at?, nil): return time(at, upTo: context.end).map { .at($0) }
        case (nil, let rate?):
            guard let number = number(rate, in: ScenarioShape.faultRates) else { return nil }
            if let count = meantCount(members["on"], in: context), let end = context.end,
                number * Double(count) * end.seconds / 3600 > ScenarioShape.mostEvents
            {
                note(
                    rate.error("that makes more than 1,000,000 faults; let them happen less often"))
            }
            return .rate(number)
        case (nil, nil), (_?, _?):
            note(node.error("write one of at and rate"))
            return nil
        }
    }

    private mutating func order(
        _ members: [String: YAMLNode], lasting: Duration?
    ) -> FaultOrder? {
        guard let node = members["fault"], let name = text(node) else { return nil }
        do throws(FaultRefusal) {
            _ = try SimulatedFault(text: name)
        } catch {
            note(node.error("\(error)"))
            return nil
        }
        var settings: JSONObject = [:]
        if let node = members["set"] {
            guard let read = attempt({ () throws(YAMLProblem) in try YAMLValues.members(node) })
            else { return nil }
            settings = read
        }
        if let place = members["for"], let fault = SimulatedFault(rawValue: name),
            !fault.specification.lasts
        {
            note(place.error("\(name) happens at once and is over: leave out for"))
            return nil
        }
        do throws(FaultRefusal) {
            return try FaultOrder(injecting: name, setting: settings, lasting: lasting)
        } catch {
            if let place = members["set"] ?? members["fault"] { note(place.error("\(error)")) }
            return nil
        }
    }

    private mutating func check(
        _ order: FaultOrder, _ devices: [PlannedDevice], _ place: YAMLNode
    ) {
        guard let fault = order.name else { return }
        let able = fault.specification.kinds
        guard
            let unable = devices.first(where: {
                !able.contains(BehaviourCatalog.kind(of: $0.identity.model))
            })
        else { return }
        note(
            place.error(
                "\(unable.key) cannot have \(fault.rawValue), which is for "
                    + able.map(\.rawValue).joined(separator: " and ")))
    }

    // MARK: Assertions

    mutating func assertions(
        _ node: YAMLNode?, in context: ScenarioContext
    ) -> [Scenario.Assertion] {
        var names: Set<String> = []
        return items(node).compactMap { item in
            let assertion = assertion(item, in: context)
            if let name = assertion?.name, !names.insert(name).inserted {
                note(item.error("the assertion \(name) is given twice; give each its own name"))
            }
            return assertion
        }
    }

    private mutating func assertion(
        _ node: YAMLNode, in context: ScenarioContext
    ) -> Scenario.Assertion? {
        let members = members(node, .assertion)
        let name = text(members["name"])
        let metric = choice(
            members["metric"], "metrics", of: Metric.allCases.map(\.rawValue)
        ).flatMap(Metric.init(rawValue:))
        let range = metric?.range ?? 0...1e12
        let least = number(members["min"], in: range)
        let most = number(members["max"], in: range)
        if let least, let most, least > most, let place = members["min"] {
            note(place.error("min, \(Self.text(least)), is above max, \(Self.text(most))"))
        }
        if members["min"] == nil, members["max"] == nil {
            note(node.error("write min, max or both: what must hold is missing"))
        }
        let meant = devices(members["on"], in: context)
        let at = time(members["at"], upTo: context.end)
        let from = time(members["from"], upTo: context.end)
        let to = time(members["to"], upTo: context.end)
        if let from, let to, from > to, let place = members["from"] {
            note(place.error("\(from.written) is after \(to.written), where it ends"))
        }
        if let metric { check(metric, members, in: context) }
        guard let name, let metric else { return nil }
        return Scenario.Assertion(
            name: name, metric: metric, target: meant?.target, at: at, from: from, to: to,
            least: least, most: most)
    }

    private mutating func check(
        _ metric: Metric, _ members: [String: YAMLNode], in context: ScenarioContext
    ) {
        let word = metric.rawValue
        if let place = members["at"], members["from"] != nil || members["to"] != nil {
            note(place.error("write at, or from and to"))
        }
        if let place = members["from"] ?? members["to"], !metric.takesWindow {
            note(place.error("\(word) is of one instant: write at instead of from and to"))
        }
        if let place = members["on"], !metric.takesTarget {
            note(place.error("\(word) is about all devices: leave out on"))
        }
        if let place = members["metric"], metric.needsBroker, context.isVirtual {
            note(place.error("\(word) needs a broker, and speed: max runs without one"))
        }
    }
}
