public import Automation
internal import Connectivity
internal import DeviceControl
package import DeviceDomain
internal import HomeModel

extension HomeRules {
    /// Adds a rule to the ledger, from where ``run(notifying:_:)`` of any process runs it. Its commands are checked as
    /// those that are sent now; for devices that the ledger remembers no connection is needed.
    /// - Throws: ``HomeError`` `badRule` where its parts do not fit each other, or a rule of the sun has no place;
    ///   `nameTaken`, `unknownDevice`, `unknownRoom`, `unknownMember`, `ambiguousName`, `refusedCommand`,
    ///   `noConnection`, `ledger`.
    public func add(_ draft: RuleDraft) async throws(HomeError) -> Rule {
        try requireLocation(for: draft.trigger)
        let scope = try await scope(of: draft)
        let about = try await devices(of: scope)
        var conditions = DeviceFilter(conditions: draft.conditions)
        if case .comparison(let condition) = draft.trigger {
            conditions.conditions.append(condition)
        }
        try conditions.requireReportedMembers(among: about)
        let receiver: KnownDevice? =
            if let reference = draft.receiver {
                try await commands.observation.findRemembered(reference)
            } else { nil }
        var actions: [RuleAction] = []
        for action in draft.actions {
            actions.append(try checked(action, receiver, among: about, of: scope))
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
        let now = clock.now.wall
        let rule = try await commands.lifetime.withStorage {
            try await $0.rules.add(plan, of: controller, in: home, from: now)
        }
        guard let rule else {
            throw HomeError(
                .nameTaken, "\(home) has a rule \"\(draft.name)\" already; choose another name")
        }
        return rule
    }

    /// Why a rule may wait for an event that no device reports; `nil` where nothing speaks for that.
    package func doubt(about event: EventName, in rule: Rule) -> String? {
        guard !EventName.standard.contains(event) else { return nil }
        let devices = commands.observation.live.model.allDevices.filter(rule.plan.scope.contains)
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
            return .device(try await commands.observation.findRemembered(reference).id)
        case .kind(let kind):
            commands.observation.live.remember(
                try await commands.observation.rememberedDevices())
            try await commands.observation.requireKnownKind(kind)
            return .kind(kind)
        case .room(let room):
            try await commands.observation.labels.requireRoom(room)
            return .room(room)
        }
    }

    /// The devices that a rule is about, as far as they are known: from the ledger, else from what is heard.
    private func devices(of scope: RuleScope) async throws(HomeError) -> [KnownDevice] {
        let observation = commands.observation
        await observation.labels.learn()
        observation.live.remember(try await observation.rememberedDevices())
        return observation.live.model.allDevices.filter(scope.contains)
    }

    /// A command that every receiver takes that has it.
    private func checked(
        _ action: RuleDraft.Action, _ receiver: KnownDevice?, among about: [KnownDevice],
        of scope: RuleScope
    ) throws(HomeError) -> RuleAction {
        guard case .send(let name, let typed) = action else { return .notify }
        let receivers = receiver.map { [$0] } ?? about
        var having = receivers.filter { $0.profile?.specification(of: name) != nil }
        // What is wrong with one device tells more than that none has the command.
        if having.isEmpty, receivers.count == 1 { having = receivers }
        guard let first = having.first else {
            throw HomeError(
                .refusedCommand,
                receivers.isEmpty
                    ? "no device that the rule is about is known, so \"\(name.rawValue)\" cannot be checked; "
                        + "'homeport devices' lists what there is"
                    : "none of the \(receivers.count) devices that the rule is about has a command "
                        + "\"\(name.rawValue)\"; 'show' lists what a device accepts")
        }
        for device in having {
            _ = try commands.order(name, .typed(typed), for: device, CommandOptions())
        }
        let values = GivenArguments.typed(typed).values(for: name, of: first.profile)
        return .send(RuleCommand(name, values, to: receiver?.id))
    }
}
