import Homeport
import TestSupport
import Testing

@testable import Homeport

extension [Finding] {
    /// The findings of a check that are not fine.
    func wrong(_ check: Finding.Check) -> [Finding] {
        filter { $0.check == check && $0.status != .ok }
    }

    /// What was found in a check.
    func messages(_ check: Finding.Check) -> [String] {
        filter { $0.check == check }.map(\.message)
    }

    /// The status of a check: the worst of its findings; `nil` if it was not made.
    subscript(check: Finding.Check) -> Finding.Status? {
        let found = filter { $0.check == check }.map(\.status)
        return [.problem, .warning, .ok].first(where: found.contains)
    }

    /// The checks with a problem.
    var problems: Set<Finding.Check> {
        Set(filter { $0.status == .problem }.map(\.check))
    }
}

extension Diagnosis {
    /// What is found at a broker, with a ledger in memory, after a short look at the devices.
    static func findings(
        at url: String, ledger: LedgerLocation = .memory, version: MQTTProtocolVersion = .v5,
        security: MQTTSecurity? = nil, credentials: MQTTCredentials? = nil
    ) async throws -> [Finding] {
        let brokers = try MQTTBrokerAddress.cluster(urls: url)
        var connection = BrokerConnection(
            brokers[0], security: security, version: version, credentials: credentials,
            connectTimeout: .seconds(5))
        connection.otherBrokers = Array(brokers.dropFirst())
        let configuration = HomeConfiguration(
            home: try HomeID("home-1"), channels: [.homeportMQTT(connection)], ledger: ledger)
        let diagnosis = Diagnosis(configuration: configuration, watch: .milliseconds(300))
        let findings = await diagnosis.findings()
        for finding in findings {
            #expect(!finding.message.contains("\n") && !finding.message.isEmpty)
            #expect((finding.status == .ok) == finding.remedy.isEmpty, "\(finding)")
        }
        return findings
    }

    /// What is found in a ledger.
    static func findings(inLedger path: String) async throws -> [Finding] {
        let configuration = HomeConfiguration(
            home: try HomeID("home-1"), channels: [], ledger: .file(path))
        let findings = await Diagnosis(configuration: configuration).findings()
        for finding in findings {
            #expect((finding.status == .ok) == finding.remedy.isEmpty, "\(finding)")
        }
        return findings
    }
}
