public import Automation
internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import HomeModel

extension HomeRules {
    /// Adds a rule as somebody types it.
    /// - Throws: ``HomeError`` `badRule` where its parts do not fit each other, `ambiguousName`, and what adding its
    ///   `RulePlan` throws.
    public func add(_ draft: RuleDraft) async throws(HomeError) -> Rule {
        let scope = try await scope(of: draft)
        var receiver: KnownDevice?
        if let reference = draft.receiver {
            receiver = try await commands.rememberedReceiver(reference)
        }
        let receivers: [KnownDevice] =
            if let receiver { [receiver] } else { try await devices(of: scope) }
        let actions = draft.actions.map { action -> RuleAction in
            guard case .send(let name, let typed) = action else { return .notify }
            let having = receivers.first { $0.profile?.specification(of: name) != nil }
            let values = GivenArguments.typed(typed).values(for: name, of: having?.profile)
            return .send(RuleCommand(name, values, to: receiver?.id))
        }
        let plan: RulePlan
        do {
            plan = try RulePlan(
                name: draft.name, trigger: draft.trigger, hold: draft.hold, margin: draft.margin,
                scope: scope, conditions: draft.conditions, actions: actions,
                oncePer: draft.oncePer, maxAge: draft.maxAge)
        } catch {
            throw HomeError(.badRule, error.description)
        }
        return try await add(plan)
    }

    /// Adds a rule to the ledger, from where ``run(notifying:_:)`` of any process runs it. Its commands are checked as
    /// those that are sent now; for devices that the ledger remembers no connection is needed.
    /// - Throws: ``HomeError`` `badRule` where a rule of the sun has no place; `nameTaken`, `unknownDevice`,
    ///   `unknownRoom`, `unknownMember`, `refusedCommand`, `noConnection`, `ledger`.
    public func add(_ plan: RulePlan) async throws(HomeError) -> Rule {
        try requireLocation(for: plan.trigger)
        let about = try await devices(of: plan.scope)
        try await require(plan.scope, with: about)
        try plan.comparisons.requireReportedMembers(among: about)
        for case .send(let command) in plan.actions { try await check(command, among: about) }
        let now = clock.now.wall
        let rule = try await commands.lifetime.withStorage {
            try await $0.rules.add(plan, of: controller, in: home, from: now)
        }
        guard let rule else {
            throw HomeError(
                .nameTaken, "\(home) has a rule \"\(plan.name)\" already; choose another name")
        }
        return rule
    }

    /// Why a rule may wait for what no device reports, an event or a member; `nil` where nothing speaks for that.
    package func doubt(about rule: Rule) -> String? {
        let devices = commands.observation.live.model.allDevices.filter(rule.plan.scope.contains)
        if let doubt = rule.plan.comparisons.doubt(among: devices) { return doubt }
        guard case .event(let event) = rule.plan.trigger, !EventName.standard.contains(event) else {
            return nil
        }
        // Devices of other kinds may report anything.
        let areOurs = devices.allSatisfy {
            $0.profile.map { Signal.state(of: $0.kind) != nil } ?? false
        }
        guard areOurs, !devices.isEmpty else { return nil }
        return "no device of these kinds reports an event \(event)"
            + Suggestion.question(about: event.text, among: EventName.standard.map(\.text))
    }

    private func requireLocation(for trigger: RuleTrigger) throws(HomeError) {
        guard case .sun(let event) = trigger, location == nil else { return }
        throw HomeError(
            .badRule,
            "when \(event.rawValue) is depends on where the home is, which nobody has said; write "
                + "location: {latitude: 52.52, longitude: 13.40} into the configuration file")
    }

    private func scope(of draft: RuleDraft) async throws(HomeError) -> RuleScope {
        switch draft.scope {
        case .everyDevice: return .everyDevice
        case .device(let reference):
            return .device(try await commands.rememberedReceiver(reference).id)
        case .kind(let kind): return .kind(kind)
        case .room(let room): return .room(room)
        }
    }

    /// A rule about what the home does not have would never run.
    private func require(
        _ scope: RuleScope, with about: [KnownDevice]
    ) async throws(HomeError) {
        let observation = commands.observation
        switch scope {
        case .everyDevice: break
        case .device(let device):
            if about.isEmpty { throw .unknownDevice(device.text, in: observation.place) }
        case .kind(let kind): if about.isEmpty { try await observation.requireKnownKind(kind) }
        case .room(let room): try await observation.labels.requireRoom(room)
        }
    }

    /// The devices that a rule is about, as far as they are known: from the ledger, else from what is heard.
    private func devices(of scope: RuleScope) async throws(HomeError) -> [KnownDevice] {
        let observation = commands.observation
        await observation.labels.learn()
        observation.live.remember(try await observation.rememberedDevices())
        return observation.live.model.allDevices.filter(scope.contains)
    }

    /// Every receiver that has a command must take it.
    private func check(
        _ command: RuleCommand, among about: [KnownDevice]
    ) async throws(HomeError) {
        let name = command.name
        let receivers: [KnownDevice] =
            if let id = command.receiver {
                [try await commands.rememberedReceiver(id.text)]
            } else { about }
        var having = receivers.filter { $0.profile?.specification(of: name) != nil }
        // What is wrong with one device tells more than that none has the command.
        if having.isEmpty, receivers.count == 1 { having = receivers }
        guard !having.isEmpty else {
            throw HomeError(
                .refusedCommand,
                receivers.isEmpty
                    ? "no device that the rule is about is known, so \"\(name.rawValue)\" cannot be checked; "
                        + "'homeport devices' lists what there is"
                    : "none of the \(receivers.count) devices that the rule is about has a command "
                        + "\"\(name.rawValue)\"; 'show' lists what a device accepts")
        }
        for device in having {
            _ = try commands.order(name, .values(command.arguments), for: device, CommandOptions())
        }
    }
}

extension RulePlan {
    /// Every condition on a member, that which lets it run included.
    fileprivate var comparisons: DeviceFilter {
        var filter = DeviceFilter(conditions: conditions)
        if case .comparison(let condition) = trigger { filter.conditions.append(condition) }
        return filter
    }
}
