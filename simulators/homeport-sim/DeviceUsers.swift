import DeviceDomain
import DeviceTopics
import Fleet
import LocalBroker
import LocalServices

/// The users as which the devices of a fleet connect to its private broker: each may use its own part of
/// the topics only (PROTOCOL section 1).
struct DeviceUsers {
    private let users: [DeviceKey: BrokerCredentials]
    private let homes: Set<HomeID>

    /// - Parameter devices: those of the fleet, and boxed ones under the name that they have before a claim.
    init(_ devices: [DeviceKey], _ passwords: DevicePasswords) {
        users = Dictionary(
            uniqueKeysWithValues: devices.map {
                ($0, BrokerCredentials(username: "\($0)", password: passwords[$0]))
            })
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
