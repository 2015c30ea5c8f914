import DeviceDomain
import DeviceSimulation
import MQTTClient

/// What a script does to the devices of a shard, and the loop's timer for the next of it.
///
/// Each event takes effect at its own instant of the world, however late the loop comes to it: the shard takes what
/// is due before it hands a device anything else.
struct ShardScript {
    /// What happens next to a device.
    struct Due {
        /// When (world clock).
        let at: Timestamp
        /// The device.
        let index: Int
        let event: FleetScript.Event
    }

    /// Whether devices stay off the broker until they are to come.
    let waitsForArrivals: Bool
    /// What is to happen, the last first.
    private var rest: [Due]
    private var timer: MQTTTimer?

    /// The script of a shard.
    /// - Parameters:
    ///   - plan: its devices, in their order.
    ///   - epoch: what the world clock shows at first.
    init(_ script: FleetScript, for plan: [PlannedDevice], from epoch: Timestamp) {
        waitsForArrivals = script.waitsForArrivals
        let places = Dictionary(
            plan.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        rest = script.entries.compactMap { entry in
            places[entry.device].map {
                Due(at: epoch.advanced(by: entry.at), index: $0, event: entry.event)
            }
        }.reversed()
    }

    /// Takes the next event, if its instant has come.
    mutating func take(dueBy world: Timestamp) -> Due? {
        guard let next = rest.last, next.at <= world else { return nil }
        return rest.removeLast()
    }

    /// Cancels the timer, until ``arm(on:at:_:)``.
    mutating func cancel() {
        timer?.cancel()
        timer = nil
    }

    /// Notes that the timer has fired.
    mutating func fired() { timer = nil }

    /// Sets the timer to the next event, unless it is set or the world stands still.
    mutating func arm(
        on eventLoop: MQTTEventLoop, reading clock: FleetClock,
        _ body: @escaping @Sendable () -> Void
    ) {
        guard timer == nil, let next = rest.last else { return }
        let now = clock.now
        guard now.pace > 0 else { return }
        let wait = max(next.at.since(now.world), .zero) / now.pace
        timer = eventLoop.schedule(after: wait, body)
    }
}
