import Fleet

/// What of the devices of a scenario could not be read. What is aimed at devices is checked all the same, so that
/// everything that is wrong is told at once; but nothing is called wrong that may be right once the gaps are filled.
struct ScenarioGaps {
    /// Whether it is not known how many homes there are.
    var areHomesUnknown = false
    /// Names that cannot be those of groups.
    var names: Set<String> = []
    /// Groups whose kind or model is not known.
    var kinds: Set<String> = []
    /// Groups of which it is not known how many devices they have.
    var counts: Set<String> = []
    /// Beginnings of targets, such as `access-point:`, of which a name is not known.
    var places: Set<String> = []

    /// Whether a target that means no device of those that are known may mean one of the others.
    func mayMean(_ target: String) -> Bool {
        let parts = target.split(separator: "/", omittingEmptySubsequences: false)
        let word = parts.last.map(String.init) ?? target
        if areHomesUnknown, target.hasPrefix("home-") { return true }
        if !kinds.isEmpty, FaultTarget.isKind(word) { return true }
        if places.contains(where: word.hasPrefix) { return true }
        return names.contains(word)
            || names.union(counts).contains { word.hasPrefix("\($0)-") }
    }

    /// The devices whose model is known.
    func checkable(_ devices: [PlannedDevice]) -> [PlannedDevice] {
        devices.filter { !kinds.contains($0.group.name) }
    }
}
