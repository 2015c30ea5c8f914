internal import AlinkAdapter
internal import Connectivity

/// Whether the devices with Alink firmware of a broker are there. It sends nothing.
struct AlinkCheck: Sendable {
    /// The broker, as messages name it.
    let address: String

    /// Connects and counts the devices. That the broker cannot be reached is told with the connection.
    func findings(over channel: AlinkChannel) async -> [Finding] {
        do throws(CommunicationError) {
            let counts = try await channel.look(at: channel.home) { await channel.deviceCounts() }
            return [Self.finding(counts.all, counts.offline, address)]
        } catch {
            // The check of the connection has the reason.
            return []
        }
    }

    private static func finding(_ all: Int, _ offline: Int, _ address: String) -> Finding {
        guard all > 0 else {
            return .warning(
                .devices, "\(address) tells of no device with Alink firmware",
                remedy:
                    "check that the broker has the plugin, and the devices their lines in its file of triples"
            )
        }
        guard offline > 0 else { return .ok(.devices, "\(address) tells of \(all) devices") }
        return .warning(
            .devices, "\(offline) of \(all) devices of \(address) are offline",
            remedy: "check their power and network; 'homeport devices' shows which are offline")
    }
}
