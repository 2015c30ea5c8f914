import Logging
import MQTTClient
import ServiceLifecycle
import TestSupport
import Testing

/// The client as a service.
@Suite(.timeLimit(.minutes(1)))
struct ServiceTests {
    @Test func gracefulShutdownDrainsAndReports() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port)
                configuration.sendMaximum = 1
                let client = MQTTClient(configuration: configuration, eventLoop: loop)
                let group = ServiceGroup(services: [client], logger: Logger(label: "test"))
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    tasks.addTask { try await group.run() }
                    await client.reached { if case .connected = $0 { true } else { false } }
                    for topic in ["a", "b"] {
                        await client.publishWithoutWaiting(try .test(topic))
                    }
                    await group.triggerGracefulShutdown()
                    await client.closing()
                    broker.proceed()
                    try await tasks.waitForAll()
                }
                let report = await client.lastDrainReport
                #expect(report == MQTTDrainReport(delivered: 2, isDisconnectSent: true))
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try broker.awaitProceed()
            for _ in 0..<2 { try peer.send(.puback(peer.read(.publish).publishIdentifier)) }
            _ = peer.readToEnd()
        }
    }

    @Test func everyListenerSeesTheStates() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let client = MQTTClient(configuration: try .test(broker.port), eventLoop: loop)
                var first = client.connectionEvents.makeAsyncIterator()
                guard case .closed = await first.next() else {
                    Issue.record("not started yet")
                    return
                }
                try await client.connect()
                var second = client.connectionEvents.makeAsyncIterator()
                for state in [await first.next(), await second.next()] {
                    guard case .connected(let info) = state else {
                        Issue.record("\(String(describing: state))")
                        continue
                    }
                    #expect(info.address == "127.0.0.1")
                }
                await client.disconnect()
                guard case .closed = await first.next() else {
                    Issue.record("it has ended")
                    return
                }
            }
        }
    }
}
