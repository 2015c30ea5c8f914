import DeviceDomain
import DeviceTopics
import Fleet
import LocalBroker

/// The users as which the devices of a fleet connect to its private broker: each may use its own part of
/// the topics only (PROTOCOL section 1).
struct DeviceUsers {
    private let users: [DeviceKey: BrokerCredentials]
    private let homes: Set<HomeID>

    init(_ plan: FleetPlan) {
        users = Dictionary(
            uniqueKeysWithValues: plan.devices.map { ($0.key, .random(for: "\($0.key)")) })
        homes = Set(users.keys.map(\.home))
    }

    /// How the broker is started for them.
    var configuration: PrivateBrokerConfiguration {
        var configuration = PrivateBrokerConfiguration()
        configuration.users = users.keys.sorted().compactMap { users[$0] }
        let lines = BrokerAccess.devices(of: homes.sorted())
        configuration.accessControl = lines.joined(separator: "\n") + "\n"
        return configuration
    }

    /// As whom each device connects.
    var credentials: [DeviceKey: (name: String, password: String)] {
        users.mapValues { ($0.username, $0.password) }
    }
}
