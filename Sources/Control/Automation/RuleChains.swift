internal import DeviceDomain

/// Which rules have lately sent commands to which device, so that a rule that comes to run because of its own command
/// is found.
///
/// No device says which command made it report something. So what a device reports within ``span`` of a command counts
/// as following from it.
struct RuleChains: Hashable, Sendable {
    /// How long after a command what its device reports may follow from it.
    static let span = Duration.seconds(30)
    /// How often a rule may run in a chain with others.
    static let mostRuns = 2
    /// How often a rule may run in a chain of its own: a device that only repeats an event looks like that, too.
    static let mostRunsAlone = 5

    private struct Sending: Hashable {
        let at: Duration
        let chain: [RuleID]
    }

    private var sendings: [DeviceID: [Sending]] = [:]

    /// Takes in that a run sends a command to a device.
    mutating func note(_ chain: [RuleID], to device: DeviceID, at elapsed: Duration) {
        sendings[device, default: []].removeAll { elapsed - $0.at > Self.span || $0.chain == chain }
        sendings[device, default: []].append(Sending(at: elapsed, chain: chain))
    }

    /// The chain that what a device reports now may follow from: of several the longest.
    func chain(behind device: DeviceID, at elapsed: Duration) -> [RuleID] {
        let recent = sendings[device]?.filter { elapsed - $0.at <= Self.span } ?? []
        return recent.map(\.chain).max { $0.count < $1.count } ?? []
    }

    /// Forgets what is too old to count.
    mutating func forget(before elapsed: Duration) {
        sendings = sendings.filter { $0.value.contains { elapsed - $0.at <= Self.span } }
    }

    /// The rules that trigger each other, if one more run of this rule belonged to a chain: in their order, the
    /// first one once.
    static func loop(of rule: RuleID, after chain: [RuleID]) -> [RuleID]? {
        guard let first = chain.firstIndex(of: rule) else { return nil }
        let isAlone = chain[first...].allSatisfy { $0 == rule }
        guard chain.count(where: { $0 == rule }) >= (isAlone ? mostRunsAlone : mostRuns) else {
            return nil
        }
        var rules: [RuleID] = []
        for rule in chain[first...] where !rules.contains(rule) { rules.append(rule) }
        return rules
    }
}
