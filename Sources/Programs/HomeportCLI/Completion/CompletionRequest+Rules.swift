import Homeport

/// What a rule is made of.
extension CompletionRequest {
    /// The kinds of the devices that the ledger remembers, else those of the protocol.
    func kinds() -> [String] {
        let known = Set(rememberedProfiles().map(\.kind))
        let kinds = known.isEmpty ? [.sweepingRobot, .poolRobot, .energyStore] : known
        return kinds.map(\.rawValue).filter(\.isPlainWord).sorted()
    }

    /// The members that the devices report that the line selects.
    func members() -> [String] {
        let members = selectedProfiles().map { profile in
            (profile.stateMembers ?? Set(Signal.state(of: profile.kind)?.map(\.rawValue) ?? []))
                .union(
                    Signal.telemetry(of: profile.kind)?.map(\.rawValue) ?? [])
        }
        return Set(members.joined()).filter(\.isPlainWord).sorted()
    }

    /// The ids of the rules, and those names that are one word.
    func rules() -> [String] {
        let rules =
            read { ledger, home, controller in
                try ledger.rememberedRules(of: home, controller: controller)
            } ?? []
        return rules.map { "\($0.id)" } + rules.map(\.plan.name.text).filter(\.isPlainWord)
    }

    /// What may let a rule run.
    func ruleTriggers() -> [String] {
        members() + EventName.standard.map { "event=\($0)" }
            + PresenceReport.Status.allCases.map { "presence=\($0.rawValue)" } + ["at="]
            + SunEvent.allCases.map(\.rawValue)
    }

    /// The commands of the devices that get them, and what else a rule may do.
    func ruleActions() -> [String] {
        let receivers = line.values(of: "--to").last.map { [profile(of: $0)].compactMap(\.self) }
        let commands = (receivers ?? selectedProfiles()).flatMap(\.commands).map(\.name)
        // Controllers use these themselves.
        let own = Set(commands).subtracting([.queryCommands, .cancelCommand])
        return ["notify"] + own.map(\.rawValue).filter(\.isPlainWord).sorted()
    }

    /// The devices that the line selects; all where it selects none.
    private func selectedProfiles() -> [DeviceProfile] {
        if let device = line.values(of: "--device").last {
            return [profile(of: device)].compactMap(\.self)
        }
        let kind = line.values(of: "--kind").last
        return rememberedProfiles().filter { kind == nil || $0.kind.rawValue == kind }
    }
}
