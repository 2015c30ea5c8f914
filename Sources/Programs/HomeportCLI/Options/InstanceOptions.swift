import ArgumentParser
import Homeport

/// Whether and how `homeport serve` drives several homes.
struct InstanceOptions: ParsableArguments {
    /// How short and how long a lease may be.
    private static let leases = Duration.seconds(1)...Duration.seconds(60)

    @Option(
        help: ArgumentHelp(
            "Drive several homes of a ledger in PostgreSQL: all, or some by their ids.",
            discussion: """
                Other instances drive their share of the homes. all is every home that the ledger has, \
                also those that come later.
                """, valueName: "all|id,…"),
        completion: .list(["all"]), transform: Parsing.servedHomes)
    var homes: ServedHomes?

    @Option(
        help: ArgumentHelp(
            "What this instance is called.",
            discussion: "Default: the machine and the number of the process.", valueName: "name"),
        transform: Parsing.instanceName)
    var instance: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long others wait until they take the homes of an instance that is not heard: 1s to 60s.",
            discussion: "Default: 3s.", valueName: "time"),
        transform: Parsing.duration)
    var lease: Duration?

    func validate() throws {
        if let lease, !Self.leases.contains(lease) {
            throw ValidationError("--lease is from 1s to 60s")
        }
        guard homes == nil, instance != nil || lease != nil else { return }
        throw ValidationError("--instance and --lease need --homes")
    }

    /// How homes are driven; `nil` where one home is served.
    var plan: InstancePlan? {
        homes.map { InstancePlan(homes: $0, name: instance, lease: lease ?? .seconds(3)) }
    }
}
