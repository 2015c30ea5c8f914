import Homeport
import MosquittoAdapter
import TestSupport
import Testing

@testable import Homeport

/// What a diagnosis finds at several addresses.
@Suite(.timeLimit(.minutes(1))) struct ClusterDiagnosisTests {
    @Test(arguments: MQTTProtocolVersion.allCases)
    func bridgedBrokersAreACluster(version: MQTTProtocolVersion) async throws {
        try await withBridgedBrokers { one, other in
            let findings = try await Diagnosis.findings(
                at: "\(one.url),\(other.url)", version: version)
            #expect(findings.problems.isEmpty, "\(findings)")
            #expect(
                findings.messages(.cluster) == [
                    "what is published at any of the addresses arrives at the others",
                    "what is retained at any of the addresses is there at the others",
                ])
            #expect(findings.messages(.broker).count == 2, "\(findings)")
            try await MQTTPeer.with(other.url, id: "reader") { peer in
                try await peer.subscribe("homeport/#")
                try await peer.publish("homeport/end", "")
                for await message in peer.messages {
                    #expect(message.topic.rawValue == "homeport/end")
                    return
                }
            }
        }
    }

    @Test func strangersAreNoCluster() async throws {
        try await withBroker { one in
            try await withBroker { other in
                let findings = try await Diagnosis.findings(at: "\(one.url),\(other.url)")
                #expect(findings.problems == [.cluster], "\(findings)")
                let message = try #require(findings.messages(.cluster).first)
                #expect(message.contains("\(one.url) to \(other.url), \(other.url) to \(one.url)"))
            }
        }
    }

    @Test func aNodeThatIsAwayIsNamed() async throws {
        try await withBroker { broker in
            let away = "mqtt://127.0.0.1:\(try freePort())"
            let findings = try await Diagnosis.findings(at: "\(away),\(broker.url)")
            #expect(findings.problems == [.broker], "\(findings)")
            #expect(findings.wrong(.broker).map(\.message).allSatisfy { $0.hasPrefix(away) })
            #expect(findings[.cluster] == nil)
            #expect(findings.messages(.accessControl).first?.hasPrefix(broker.url) == true)
        }
    }

    @Test func whatWasNotTriedIsNoProof() throws {
        let (a, b) = (
            try MQTTBrokerAddress(url: "mqtt://a"), try MQTTBrokerAddress(url: "mqtt://b")
        )
        var path = ClusterPath(from: a, to: b)
        #expect(ClusterCheck(paths: [path]).findings.map(\.status) == [.warning])
        path.delivers = true
        #expect(ClusterCheck(paths: [path]).findings.map(\.status) == [.ok])
        path.replays = false
        #expect(ClusterCheck(paths: [path]).findings.map(\.status) == [.ok, .problem])
        #expect(ClusterCheck(paths: []).findings.isEmpty)
    }
}
