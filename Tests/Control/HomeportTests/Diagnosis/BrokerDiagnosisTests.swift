import Homeport
import HomeportTesting
import TestSupport
import Testing

@testable import Homeport

/// What a diagnosis finds at brokers.
@Suite(.timeLimit(.minutes(1))) struct BrokerDiagnosisTests {
    @Test(arguments: MQTTProtocolVersion.allCases)
    func aGoodBrokerIsFine(version: MQTTProtocolVersion) async throws {
        try await withBroker("max_queued_messages 100000", "message_size_limit 65536") { broker in
            let findings = try await Diagnosis.findings(at: broker.url, version: version)
            #expect(findings.allSatisfy { $0.status == .ok }, "\(findings)")
            #expect(findings[.latency] == .ok)
            #expect(findings[.brokerQueue] == .ok)
            #expect(findings[.retainedMessages] == .ok)
            #expect(findings[.messageSize] == .ok)
            let limits = findings.messages(.brokerLimits)
            #expect(limits.count == 1 && limits[0].contains("Receive Maximum"), "\(limits)")
        }
    }

    @Test(
        arguments: MQTTProtocolVersion.allCases,
        [nil, "message_size_limit 1000000", "max_packet_size 70000"])
    func aBrokerThatTakesMessagesOfAnySizeIsAWarning(
        version: MQTTProtocolVersion, limit: String?
    ) async throws {
        try await withBroker(limit ?? "allow_anonymous true") { broker in
            let findings = try await Diagnosis.findings(at: broker.url, version: version)
            #expect(findings[.messageSize] == (limit == nil ? .warning : .ok), "\(findings)")
            #expect(findings.problems.isEmpty)
        }
    }

    @Test func aDiagnosisLeavesNothingAtTheBroker() async throws {
        try await withBroker { broker in
            _ = try await Diagnosis.findings(at: broker.url)
            try await MQTTPeer.with(broker.url, id: "reader") { peer in
                try await peer.subscribe("#")
                try await peer.publish("end", "")
                for await message in peer.messages {
                    #expect(message.topic.rawValue == "end")
                    return
                }
            }
        }
    }

    @Test func aBrokerThatIsAwayIsAProblem() async throws {
        let url = "mqtt://127.0.0.1:\(try freePort())"
        let findings = try await Diagnosis.findings(at: url)
        #expect(findings.problems == [.broker])
        #expect(findings.wrong(.broker).first?.remedy.contains("start the broker") == true)
    }

    @Test func aPortThatSpeaksAnotherProtocolIsAProblem() async throws {
        let answer = Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8)
        try await withFakeBroker { broker in
            let findings = try await Diagnosis.findings(at: broker.url)
            #expect(findings.problems == [.broker])
            #expect(findings.wrong(.broker).first?.remedy.contains("another protocol") == true)
        } broker: { broker in
            try broker.serve { peer in
                _ = try peer.readConnect()
                try peer.send(bytes: answer)
                peer.cut()
            }
        }
    }

    @Test func aBrokerOfTheOtherVersionIsNamed() async throws {
        try await withFakeBroker { broker in
            let findings = try await Diagnosis.findings(at: broker.url)
            #expect(findings.problems == [.broker])
            let remedy = findings.wrong(.broker).first?.remedy
            #expect(remedy?.contains("--mqtt-version 3.1.1") == true)
        } broker: { broker in
            try broker.serve { peer in
                let version = try peer.readConnect().version
                try peer.send(.connack(version, code: version == .v5 ? 0x84 : 0))
            }
        }
    }

    @Test func refusedCredentialsAreAProblem() async throws {
        try await withBroker("allow_anonymous false") { broker in
            let findings = try await Diagnosis.findings(
                at: broker.url,
                credentials: try MQTTCredentials(username: "ann", password: "open-sesame"))
            #expect(findings.problems == [.credentials])
            #expect(!findings.contains { $0.message.contains("open-sesame") })
        }
    }

    @Test func aCertificateOfAnotherAuthorityIsAProblem() async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSBroker(certificates) { broker in
            let url = "mqtts://localhost:\(broker.port)"
            let wrong = MQTTTLSConfiguration(authorityFile: certificates["other-ca"])
            let findings = try await Diagnosis.findings(at: url, security: .tls(wrong))
            #expect(findings.problems == [.broker])
            #expect(findings.wrong(.broker).first?.remedy.contains("--ca-file") == true)
            let right = MQTTTLSConfiguration(authorityFile: certificates.authority)
            let good = try await Diagnosis.findings(at: url, security: .tls(right))
            #expect(good.problems.isEmpty)
        }
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func aQueueOfTheDefaultLengthIsAWarning(version: MQTTProtocolVersion) async throws {
        try await withBroker { broker in
            let findings = try await Diagnosis.findings(at: broker.url, version: version)
            #expect(findings.problems.isEmpty)
            let finding = try #require(findings.wrong(.brokerQueue).first)
            #expect(finding.status == .warning)
            #expect(finding.message.contains("kept 1020 of 1200"))
            #expect(finding.remedy.contains("max_queued_messages"))
            #expect(finding.remedy.contains("max_queued_bytes 0"))
        }
    }

    @Test func aBrokerWithoutNoDelayIsAWarning() async throws {
        try await withBroker("set_tcp_nodelay false") { broker in
            let findings = try await Diagnosis.findings(at: broker.url)
            #expect(findings.problems.isEmpty)
            #expect(findings.wrong(.latency).first?.remedy.contains("set_tcp_nodelay") == true)
        }
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func aBrokerWithoutRetainedMessagesIsAProblem(version: MQTTProtocolVersion) async throws {
        try await withBroker("retain_available false", "max_queued_messages 100000") { broker in
            let findings = try await Diagnosis.findings(at: broker.url, version: version)
            #expect(findings.contains { $0.status == .problem }, "\(findings)")
            #expect(version == .v3_1_1 || findings.problems == [.retainedMessages])
        }
    }

    @Test func aBrokerThatDoesNotReplayToWildcardsIsAProblem() async throws {
        try await withFakeBroker { broker in
            let findings = try await Diagnosis.findings(at: broker.url)
            let finding = try #require(findings.wrong(.retainedMessages).first)
            #expect(finding.status == .problem)
            #expect(finding.remedy.contains("RabbitMQ"))
        } broker: { broker in
            let first = try broker.accept()
            detachThread { ForgetfulBroker.serve(first) }
            // The measurements that follow have connections of their own, and are not the point here.
            try broker.serve { $0.cut() }
        }
    }

    /// As mosquitto does beyond its `max_connections`.
    @Test func aBrokerThatClosesFurtherConnectionsIsNotCalledLost() async throws {
        try await withFakeBroker { broker in
            let findings = try await Diagnosis.findings(at: broker.url)
            #expect(findings[.broker] == .ok, "\(findings)")
            let finding = try #require(findings.wrong(.brokerQueue).first)
            #expect(finding.message.contains("another connection failed"), "\(finding)")
            #expect(!finding.message.contains("this user"))
            #expect(finding.remedy.contains("max_connections"))
        } broker: { broker in
            let first = try broker.accept()
            detachThread { ForgetfulBroker.serve(first) }
            try broker.serve { $0.cut() }
        }
    }

    @Test func refusedTopicsAreNamed() async throws {
        let folder = try TemporaryFolder()
        let list = try folder.file(
            "acl", "topic readwrite homeport/v1/home-1/fence\ntopic read homeport/v1/home-1/#\n",
            mode: 0o644)
        try #require(chmodToReadable(folder.path))
        try await withBroker("acl_file \(list)") { broker in
            let findings = try await Diagnosis.findings(at: broker.url)
            #expect(findings.problems == [.accessControl])
            let message = try #require(findings.wrong(.accessControl).first?.message)
            for topic in ["/command ", "/command/urgent ", "/desired "] {
                #expect(message.contains(topic), "\(message)")
            }
            // What cannot be tried is not called right.
            #expect(findings[.retainedMessages] == .warning)
            #expect(findings[.brokerQueue] == .warning)
        }
    }

    @Test func aFenceThatCannotBeReadIsAProblem() async throws {
        let folder = try TemporaryFolder()
        let list = try folder.file("acl", "topic write homeport/v1/home-1/#\n", mode: 0o644)
        try #require(chmodToReadable(folder.path))
        try await withBroker("acl_file \(list)") { broker in
            let findings = try await Diagnosis.findings(at: broker.url)
            let message = findings.wrong(.accessControl).first?.message
            #expect(message?.contains("does not deliver them") == true, "\(findings)")
        }
    }

    /// Properties of CONNACK: Maximum QoS, Wildcard Subscription Available, Maximum Packet Size.
    @Test(arguments: [
        ([0x24, 0], Finding.Status.problem, "commands need QoS 1"),
        ([0x28, 0], .problem, "wildcards"), ([0x27, 0, 0, 4, 0], .warning, "64 KiB"),
        ([0x27, 0, 2, 0, 0], .ok, "131072"),
    ])
    func whatABrokerDoesNotSupportIsNamed(
        properties: [UInt8], status: Finding.Status, part: String
    ) async throws {
        try await withFakeBroker { broker in
            let connection = BrokerConnection(try MQTTBrokerAddress(url: broker.url))
            let other = ScriptedChannel(id: try ChannelID("attic"))
            let setup = ChannelSetup(
                id: other.id, kind: ChannelKind(rawValue: "other"), connection
            ) { _ in other }
            let configuration = HomeConfiguration(
                home: try HomeID("home-1"), channels: [setup], ledger: .memory)
            let findings = await diagnose(configuration)
            #expect(findings[.brokerLimits] == status)
            #expect(findings.messages(.brokerLimits).contains { $0.contains(part) })
        } broker: { broker in
            _ = try broker.acceptConnected(properties: properties).readToEnd()
        }
    }

    @Test func aBrokerOfAnotherDialectIsReached() async throws {
        try await withBroker { broker in
            let connection = BrokerConnection(try MQTTBrokerAddress(url: broker.url))
            let configuration = HomeConfiguration(
                home: try HomeID("home-1"),
                channels: [.zigbee2MQTT(id: try ChannelID("attic"), connection)], ledger: .memory)
            let findings = await diagnose(configuration)
            #expect(findings[.broker] == .ok)
            #expect(findings[.devices] == nil)
        }
    }
}
