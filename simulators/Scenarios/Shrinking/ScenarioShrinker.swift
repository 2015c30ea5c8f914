import Fleet

/// Finds the fewest faults, commands and devices with which a scenario still fails.
///
/// Faults and commands are left out in halves, quarters and so on for as long as the rest still fails (the
/// algorithm ddmin of Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002). Then homes,
/// groups and the devices of each group are reduced by halving, as if fewer of them never failed where more do not.
package struct ScenarioShrinker {
    /// Whether a scenario fails as the first one did.
    package typealias Trial = (Scenario) async throws -> Bool

    private let fails: Trial
    /// The smallest scenario so far that fails.
    private var smallest: Scenario

    /// - Parameters:
    ///   - scenario: one that fails.
    ///   - fails: runs a scenario.
    private init(_ scenario: Scenario, _ fails: @escaping Trial) {
        smallest = scenario
        self.fails = fails
    }

    /// The smallest scenario that still fails.
    /// - Parameters:
    ///   - scenario: one that fails.
    ///   - fails: runs a scenario, and says whether it fails as the first one did.
    package static func smallest(
        of scenario: Scenario, failing fails: @escaping Trial
    ) async throws -> Scenario {
        var shrinker = ScenarioShrinker(scenario, fails)
        try await shrinker.shrink(\.faults)
        try await shrinker.shrink(\.commands)
        try await shrinker.shrinkHomes()
        try await shrinker.shrinkGroups()
        // With fewer devices, others may be left over.
        try await shrinker.shrink(\.faults)
        try await shrinker.shrink(\.commands)
        return shrinker.smallest
    }

    /// Keeps a scenario if it still fails.
    private mutating func keep(_ changed: Scenario) async throws -> Bool {
        guard try await fails(changed) else { return false }
        smallest = changed
        return true
    }

    // MARK: What happens

    private mutating func shrink<Item>(_ items: WritableKeyPath<Scenario, [Item]>) async throws {
        if try await isKept(items, as: []) { return }
        var parts = 2
        while smallest[keyPath: items].count > 1 {
            let all = smallest[keyPath: items]
            let size = (all.count + parts - 1) / parts
            if try await isReduced(items, all, leavingOut: size) {
                parts = max(parts - 1, 2)
            } else if size > 1 {
                parts = min(parts * 2, all.count)
            } else {
                return
            }
        }
    }

    /// Leaves out the first part of so many items that is not needed.
    private mutating func isReduced<Item>(
        _ items: WritableKeyPath<Scenario, [Item]>, _ all: [Item], leavingOut size: Int
    ) async throws -> Bool {
        for start in stride(from: 0, to: all.count, by: size) {
            let rest = all[..<start] + all[min(start + size, all.count)...]
            if try await isKept(items, as: Array(rest)) { return true }
        }
        return false
    }

    private mutating func isKept<Item>(
        _ items: WritableKeyPath<Scenario, [Item]>, as rest: [Item]
    ) async throws -> Bool {
        guard rest.count < smallest[keyPath: items].count else { return false }
        var changed = smallest
        changed[keyPath: items] = rest
        return try await keep(changed)
    }

    // MARK: Devices

    private mutating func shrinkHomes() async throws {
        var enough = smallest.homes
        var tooFew = 0
        while enough - tooFew > 1 {
            var changed = smallest
            changed.homes = (enough + tooFew) / 2
            if try await keep(changed) { enough = changed.homes } else { tooFew = changed.homes }
        }
    }

    private mutating func shrinkGroups() async throws {
        for name in smallest.groups.map(\.group.name) where smallest.groups.count > 1 {
            var changed = smallest
            changed.groups.removeAll { $0.group.name == name }
            _ = try await keep(changed)
        }
        for place in smallest.groups.indices {
            var enough = smallest.groups[place].count
            var tooFew = 0
            while enough - tooFew > 1 {
                var changed = smallest
                changed.groups[place].count = (enough + tooFew) / 2
                let count = changed.groups[place].count
                if try await keep(changed) { enough = count } else { tooFew = count }
            }
        }
    }
}
