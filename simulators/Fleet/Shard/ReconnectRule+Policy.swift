import Basics
import DeviceSimulation
import MQTTClient

extension ReconnectRule {
    /// The rule as a connection follows it.
    /// - Parameter seed: what random waits derive from.
    func policy(seed: UInt64) -> MQTTReconnectPolicy {
        switch self {
        case .fixed(let wait): Self.policy(wait, wait, .fixed)
        case .backoff(let first, let longest): Self.policy(first, longest, .doubling)
        case .jitter(let first, let longest): Self.policy(first, longest, .jittered(seed: seed))
        }
    }

    /// The waits between attempts on a connection, without chance.
    var backoff: Backoff {
        switch self {
        case .fixed(let wait): Backoff(first: wait, longest: wait)
        case .backoff(let first, let longest), .jitter(let first, let longest):
            Backoff(first: first, longest: longest)
        }
    }

    private static func policy(
        _ first: Duration, _ longest: Duration, _ delays: MQTTReconnectPolicy.Delays
    ) -> MQTTReconnectPolicy {
        var policy = MQTTReconnectPolicy(initial: first, cap: longest)
        policy.delays = delays
        return policy
    }
}

extension PlannedDevice {
    /// What a device needs random numbers for beside its world.
    enum Chance: String {
        /// The waits before it connects again.
        case reconnecting = "reconnect"
        /// What a faulty network does to its packets.
        case network
    }

    /// The seed of one sequence of numbers for a purpose of its own.
    /// - Parameter number: counts the sequences.
    func seed(of purpose: Chance, number: Int = 0) -> UInt64 {
        var generator = SeededGenerator(
            seed: seed, identity: identity, purpose: "\(purpose.rawValue)/\(number)")
        return generator.next()
    }
}
