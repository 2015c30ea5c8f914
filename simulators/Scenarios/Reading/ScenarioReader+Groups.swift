import DeviceDomain
import DeviceSimulation
import Fleet
import YAMLText

// The devices of each home.
extension ScenarioReader {
    /// The groups that have a name. What could not be read of them is noted, and something stands in for it.
    /// - Parameter gaps: gets what stands in for something.
    mutating func groups(_ node: YAMLNode?, gaps: inout ScenarioGaps) -> [PlannedGroup] {
        guard let node else { return [] }
        guard let entries = attempt({ () throws(YAMLProblem) in try node.entries() }) else {
            return []
        }
        if entries.isEmpty { note(node.error("there are no devices; name a group of them")) }
        var groups: [PlannedGroup] = []
        for (name, key, value) in entries {
            if let group = group(name, key, value, gaps: &gaps) { groups.append(group) }
        }
        return groups
    }

    private mutating func group(
        _ name: String, _ key: YAMLNode, _ node: YAMLNode, gaps: inout ScenarioGaps
    ) -> PlannedGroup? {
        let members = members(node, .group)
        let kinds = BehaviourCatalog.standard.kinds
        let kindName = choice(members["kind"], "kinds", of: kinds.map(\.kind.rawValue))
        let kind = kinds.first { $0.kind.rawValue == kindName }
        let model = model(members["model"], of: kind)
        let count = whole(members["count"], in: ScenarioShape.groupCounts)
        var common = DeviceGroup(name: name)
        common.telemetryInterval = time(
            members["telemetry-interval"], in: ScenarioShape.telemetryIntervals)
        common.reconnect = reconnect(members["reconnect"])
        common.accessPoint = place(members["access-point"])
        common.feeder = place(members["feeder"])
        common.buffersOffline = truth(members["buffer-offline"]) ?? false
        common.parameters = parameters(members["parameters"], of: kind, model)
        gaps.note(members, of: common, model: model, kind: kind, count: count)
        let group = PlannedGroup(
            common, kind: kind?.kind ?? kinds[0].kind, model: model, count: count ?? 1)
        do throws(InvalidIdentifier) {
            _ = try group.device(max(group.count, 1))
        } catch {
            note(key.error("\(name) cannot name devices: \(error)"))
            gaps.names.insert(name)
            return nil
        }
        return group
    }

    private mutating func model(_ node: YAMLNode?, of kind: SimulatedKind?) -> DeviceModel? {
        let known = kind.map { $0.models.map(\.model) } ?? BehaviourCatalog.standard.models
        let noun = kind.map { "models of \($0.kind.rawValue)" } ?? "models"
        return choice(node, noun, of: known.map(\.rawValue)).map(DeviceModel.init(rawValue:))
    }

    /// The name of an access point or a feeder.
    private mutating func place(_ node: YAMLNode?) -> String? {
        let name: DeviceID? = identifier(node)
        return name?.text
    }

    private mutating func reconnect(_ node: YAMLNode?) -> ReconnectRule? {
        guard let node, let text = text(node) else { return nil }
        do throws(ReconnectRule.Unreadable) {
            return try ReconnectRule(text)
        } catch {
            note(node.error("\(error)"))
            return nil
        }
    }

    // MARK: Numbers of models

    private mutating func parameters(
        _ node: YAMLNode?, of kind: SimulatedKind?, _ model: DeviceModel?
    ) -> [String: ClosedRange<Double>] {
        guard let node,
            let entries = attempt({ () throws(YAMLProblem) in try node.entries() })
        else { return [:] }
        guard let kind else { return [:] }
        let models = kind.models.filter { model == nil || $0.model == model }
        var parameters: [String: ClosedRange<Double>] = [:]
        for (name, key, value) in entries {
            guard let allowed = allowed(name, key, of: models) else { continue }
            parameters[name] = range(value, within: allowed)
        }
        return parameters
    }

    /// From where to where a number of each of these models can be.
    private mutating func allowed(
        _ name: String, _ key: YAMLNode, of models: [SimulatedModel]
    ) -> ClosedRange<Double>? {
        var allowed: ClosedRange<Double>?
        for model in models {
            let adjustable = model.adjustable
            guard let range = adjustable.first(where: { $0.name == name })?.range else {
                let names = adjustable.map(\.name)
                let isFixed = model.specification.ratings.contains { $0.name == name }
                let reason =
                    isFixed
                    ? "all devices of \(model.model.rawValue) have one \(name)"
                    : "\(model.model.rawValue) has no number \(name)"
                        + Suggestion.question(about: name, among: names)
                note(
                    key.error(
                        "\(reason); these can be given: \(names.joined(separator: ", "))"))
                return nil
            }
            allowed = allowed.map { $0.clamped(to: range) } ?? range
        }
        return allowed
    }

    private mutating func range(
        _ node: YAMLNode, within allowed: ClosedRange<Double>
    ) -> ClosedRange<Double>? {
        guard node.isList else {
            return number(node, in: allowed).map { $0...$0 }
        }
        let items = items(node)
        guard items.count == 2 else {
            note(node.error("write one number, or the least and the most: [least, most]"))
            return nil
        }
        guard let least = number(items[0], in: allowed), let most = number(items[1], in: allowed)
        else { return nil }
        guard least <= most else {
            note(node.error("the least, \(Self.text(least)), is above the most"))
            return nil
        }
        return least...most
    }
}

extension ScenarioGaps {
    /// Notes what of a group is not known.
    /// - Parameter members: what was written of it.
    fileprivate mutating func note(
        _ members: [String: YAMLNode], of group: DeviceGroup, model: DeviceModel?,
        kind: SimulatedKind?, count: Int?
    ) {
        if kind == nil || model == nil && members["model"] != nil { kinds.insert(group.name) }
        if count == nil { counts.insert(group.name) }
        if group.accessPoint == nil, members["access-point"] != nil {
            places.insert(FaultTarget.accessPoint)
        }
        if group.feeder == nil, members["feeder"] != nil { places.insert(FaultTarget.feeder) }
    }
}
