internal import Basics
package import DeviceDomain
internal import DeviceTopics
package import MQTTClient
package import MQTTLink

/// Looks which homes have devices on a broker: for somebody who has named one that has none.
package actor HomeSearch {
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// More homes are not named.
    private static let mostHomes = 20
    /// How long retained messages are waited for. They follow the broker's answer to the subscription at once.
    private static let patience = Duration.milliseconds(500)

    private nonisolated let eventLoop: MQTTEventLoop
    private nonisolated let link: MQTTLinkConfiguration
    private var homes: Set<HomeID> = []

    package init(_ link: MQTTLinkConfiguration, on eventLoop: MQTTEventLoop) {
        self.link = link
        self.eventLoop = eventLoop
    }

    /// Connects, subscribes to the presences of all homes, and disconnects.
    /// - Returns: the homes whose presences the broker sends; none where its access rules keep them back.
    /// - Throws: why there is no connection.
    package func run() async throws(MQTTError) -> Set<HomeID> {
        let connection = try ProbeConnection(link, on: eventLoop)
        try await ProbeConnection.with(connection) { _ throws(MQTTError) in
            await connection.listen { [weak self] message in
                self?.assumeIsolated { $0.take(message) }
            }
            let end = await connection.expect(within: Self.patience) { _ in false }
            try await connection.subscribe(.presenceOfEveryHome)
            _ = await end.value(ifCancelled: false)
        }
        return homes
    }

    private func take(_ message: MQTTMessage) {
        guard homes.count < Self.mostHomes, !message.payload.isEmpty,
            let topic = try? DeviceTopic(message.topic.rawValue),
            case .presence(let home, _) = topic
        else { return }
        homes.insert(home)
    }
}
