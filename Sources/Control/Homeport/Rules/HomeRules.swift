public import Automation
internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import HomeModel

/// The rules of a controller in a home: what is done when something happens. They are kept in the ledger, for every
/// process that works with it; ``run(notifying:_:)`` of one process runs them.
public struct HomeRules: Sendable {
    let commands: CommandSending
    /// What was recorded of the devices.
    let history: HistoryStores
    /// Where the home is, by which the sun rises; `nil` where nobody has said it.
    let location: GeographicPlace?

    var home: HomeID { commands.observation.home }
    var controller: ControllerID { commands.controller }
    var clock: any CommandClock { commands.observation.clock }

    /// The rules in the order in which they were added. It needs no connection.
    /// - Throws: ``HomeError`` `ledger`.
    public func list() async throws(HomeError) -> [Rule] {
        try await commands.lifetime.withStorage {
            try await $0.rules.rules(of: controller, in: home)
        }
    }

    /// The rule that somebody means: by its id, or by its name in upper or lower case.
    /// - Throws: ``HomeError`` `unknownRule`, with the rules that there are; `ledger`.
    public func find(_ reference: String) async throws(HomeError) -> Rule {
        let rules = try await list()
        let match = rules.first { "\($0.id)" == reference || $0.plan.name.isSame(as: reference) }
        if let match { return match }
        let names = rules.map(\.plan.name.text)
        throw HomeError(
            .unknownRule,
            "\(home) has no rule \"\(reference)\""
                + (names.isEmpty
                    ? ", nor any other"
                    : Suggestion.question(about: reference, among: names)
                        + "; the rules are \(names.joined(separator: ", "))"))
    }

    /// Removes a rule. A run that has begun goes on.
    /// - Returns: the rule as it was.
    /// - Throws: as ``find(_:)``.
    @discardableResult
    public func remove(_ reference: String) async throws(HomeError) -> Rule {
        let rule = try await find(reference)
        _ = try await commands.lifetime.withStorage { try await $0.rules.remove(rule.id) }
        return rule
    }

    /// Lets a rule run no more until it is resumed.
    /// - Returns: the rule as it stands.
    /// - Throws: as ``find(_:)``.
    @discardableResult
    public func pause(_ reference: String) async throws(HomeError) -> Rule {
        let rule = try await find(reference)
        let now = clock.now.wall
        try await commands.lifetime.withStorage {
            try await $0.rules.pause([rule.id], RulePause(at: now))
        }
        return try await find("\(rule.id)")
    }

    /// Lets a rule run again. What a device meets already lets it run then.
    /// - Returns: the rule as it stands.
    /// - Throws: as ``find(_:)``.
    @discardableResult
    public func resume(_ reference: String) async throws(HomeError) -> Rule {
        let rule = try await find(reference)
        let now = clock.now.wall
        try await commands.lifetime.withStorage { try await $0.rules.resume(rule.id, from: now) }
        return try await find("\(rule.id)")
    }

    /// The run that a command belongs to; `nil` for a command of no rule, and for a run that is kept no more.
    /// - Parameter cause: that of the command's intent.
    /// - Throws: ``HomeError`` `ledger`.
    public func run(ofCause cause: String?) async throws(HomeError) -> RecordedRun? {
        guard let id = RecordedRun.id(ofCause: cause) else { return nil }
        return try await commands.lifetime.withStorage { try await $0.rules.run(id) }
    }
}

extension Home {
    /// Its rules: what is done when something happens.
    public var rules: HomeRules {
        HomeRules(commands: commands, history: historyStores, location: configuration.location)
    }
}
