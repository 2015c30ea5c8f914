import Instrumentation
import Logging
import MQTTClient
import MetricsTestKit
import TestSupport
import Testing

/// The articles' code does what the articles say.
@Suite(.timeLimit(.minutes(1)))
struct SampleRunTests {
    @Test func theFirstStepsLead() async throws {
        try await withBroker { broker in
            let text = try await FirstStepsSamples.firstSteps(url: broker.url)
            #expect(text == "21.5")
        }
    }

    @Test func theServiceDisconnectsWhenItIsCancelled() async throws {
        try await withFakeBroker { broker in
            let configuration = try MQTTConfiguration.test(broker.port)
            _ = try await cancelled {
                try await FirstStepsSamples.service(configuration, logger: Logger(label: "test"))
            } when: {
                await broker.signalled()
            }
            await broker.signalled()
        } broker: { broker in
            let serverKeepAliveOfOneSecond: [UInt8] = [0x13, 0, 1]
            let peer = try broker.acceptConnected(properties: serverKeepAliveOfOneSecond)
            // A ping shows that the client has seen CONNACK; before that it owes no DISCONNECT.
            _ = try peer.read(.pingreq)
            try peer.send(.pingresp)
            broker.signal()
            guard peer.readToEnd() == [.disconnect] else { throw TestSupportError("no DISCONNECT") }
            broker.signal()
        }
    }

    @Test func theStatesAreShown() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let client = MQTTClient(configuration: try .test(broker.port), eventLoop: loop)
                try await client.connect()
                var shown: [String] = []
                await FirstStepsSamples.states(client) { line in
                    shown.append(line)
                    broker.proceed()
                }
                #expect(shown.count == 2)
                #expect(shown.first == "connected to 127.0.0.1")
                #expect(shown.last?.hasSuffix("giving up") == true)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try broker.awaitProceed()
            try peer.send(.disconnect(0x8E))
            _ = peer.readToEnd()
        }
    }

    @Test func aPasswordGoesByTLS() async throws {
        let certificates = try await TestCertificates.made()
        let folder = try TemporaryFolder()
        let file = try folder.file("broker", "username=ann\npassword=secret\n")
        let passwords = "\(folder.path)/passwords"
        let made = try await ChildProcess.runToEnd(
            "/usr/bin/env",
            [
                "sh", "-c", #"umask 022; mosquitto_passwd -b -c "$0" ann secret && chmod 755 "$1""#,
                passwords, folder.path,
            ], environment: ["PATH": "/usr/bin:/bin:/usr/sbin"])
        #expect(made.status == 0, "\(made.errors)")
        try await withTLSBroker(
            certificates, "allow_anonymous false", "password_file \(passwords)"
        ) { broker in
            var configuration = try FirstStepsSamples.secured(
                url: "mqtts://localhost:\(broker.port)", authorityFile: certificates.authority,
                credentialsFile: file)
            try await withLoop { loop in
                let reason = try await MQTTClient.withConnection(
                    configuration: configuration, eventLoop: loop
                ) { try await $0.publish(.test("a")) }
                #expect(reason == .noMatchingSubscribers)
                configuration.credentials = nil
                let error = await #expect(throws: MQTTError.self) {
                    try await MQTTClient.withConnection(
                        configuration: configuration, eventLoop: loop
                    ) { _ in }
                }
                #expect(error?.reasonCode == .notAuthorized)
            }
        }
    }

    @Test func aKeptSessionIsAskedFor() async throws {
        try await withFakeBroker { broker in
            try await withClient(
                broker.port, configure: { $0 = FirstStepsSamples.keptSession($0) }
            ) { client in
                let reason = try await client.publish(.test("a"))
                #expect(reason == .success)
            }
        } broker: { broker in
            let peer = try broker.accept()
            let connect = try peer.readConnect()
            guard !connect.cleanStart, connect.properties[0x11] == 3_600 else {
                throw TestSupportError("not a session of an hour: \(connect)")
            }
            try peer.send(.connack(.v5))
            try peer.send(.puback(peer.read(.publish).publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    @Test func reasonsAndErrorsAreToldApart() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port, configure: { $0.reconnect = .never }) { client in
                let message = try MQTTMessage.test("a")
                #expect(try await DeliverySamples.reason(client, message))
                #expect(try await !DeliverySamples.reason(client, message))
                await #expect(throws: DeliverySamples.Refused.self) {
                    try await DeliverySamples.reason(client, message)
                }
                let lost = await BackpressureSamples.handle(client, message)
                #expect(lost == "perhaps sent, ask the receiver")
                await client.reached { if case .disconnected = $0 { true } else { false } }
                let refused = await BackpressureSamples.handle(client, message)
                #expect(refused == "not sent, try later")
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            for reason: UInt8 in [0, 0x10, 0x87] {
                try peer.send(.puback(peer.read(.publish).publishIdentifier, reason: reason))
            }
            _ = try peer.read(.publish)
            peer.cut()
        }
    }

    @Test func requestsAreAnswered() async throws {
        try await withBroker { broker in
            try await withClient(broker.port, id: "responder") { responder in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try await DeliverySamples.respond(
                            responder, to: MQTTTopicFilter("questions/#"))
                    }
                    try await withClient(broker.port, id: "asker") { asker in
                        var answer: MQTTMessage?
                        while answer == nil {
                            do {
                                answer = try await DeliverySamples.request(
                                    asker, .test("questions/1", "abc"))
                            } catch let error as MQTTError where error.code == .noResponder {
                                // The responder has not subscribed yet.
                                continue
                            }
                        }
                        #expect(answer?.payload == Array("cba".utf8))
                    }
                    group.cancelAll()
                }
            }
        }
    }

    @Test func aBatchTellsTheFateOfEachMessage() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port, configure: { $0.reconnect = .never }) { client in
                let readings = try (0..<4).map { try MQTTMessage.test("a/\($0)") }
                var fates: [MQTTTopic: DeliverySamples.Fate] = [:]
                try await DeliverySamples.batch(client, readings) { fates[$0.topic] = $1 }
                #expect(
                    fates == [
                        readings[1].topic: .refused(.notAuthorized), readings[2].topic: .inDoubt,
                        readings[3].topic: .kept,
                    ])
            }
        } broker: { broker in
            // Receive Maximum 1.
            let peer = try broker.acceptConnected(properties: [0x21, 0, 1])
            try peer.send(.puback(peer.read(.publish).publishIdentifier))
            try peer.send(.puback(peer.read(.publish).publishIdentifier, reason: 0x87))
            _ = try peer.read(.publish)
            peer.cut()
        }
    }

    @Test func drainsGiveBackWhatNeverLeft() async throws {
        let clock = ManualLoopClock()
        try await withFakeBroker { broker in
            try await withClient(
                broker.port, clock: .manual(clock), configure: { $0.sendMaximum = 1 }
            ) { client in
                let messages = try [MQTTMessage.test("a"), .test("b")]
                for message in messages { await client.publishWithoutWaiting(message) }
                await broker.signalled()
                async let timeToDrain: Void = clock.pass(.seconds(2))
                var kept: [MQTTMessage] = []
                await DeliverySamples.drain(client) { kept.append($0) }
                await timeToDrain
                #expect(kept == [messages[1]])
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.publish)
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    @Test func policiesAndDropsAreReadable() async throws {
        try await withBroker { broker in
            try await withClient(broker.port) { client in
                let subscriptions = try await BackpressureSamples.policies(client)
                #expect(subscriptions.map { $0.reasonCodes.count } == [1, 1, 1])
                #expect(await BackpressureSamples.drops(client, subscriptions[1]) == [0, 0, 0])
            }
        }
    }

    @Test func metricsGoToTheBackend() async throws {
        let metrics = TestMetrics()
        let eventLoop = try ObservabilitySamples.metrics(metrics)
        await eventLoop.shutdown()
        #expect(
            metrics.timers.contains {
                $0.label == "mqtt_client_ack_latency"
                    && $0.dimensions.contains { $0 == ("loop", "fleet") }
            })
    }

    @Test func messagesAreHandledInTheirContext() async throws {
        try await withBroker { broker in
            try await withClient(broker.port) { client in
                let subscription = try await client.subscribe(to: [.test("a")])
                try await client.publish(.test("a"))
                await #expect(throws: CancellationError.self) {
                    try await ObservabilitySamples.context(client, subscription) { _ in
                        #expect(ServiceContext.current != nil)
                        throw CancellationError()
                    }
                }
            }
        }
    }
}
