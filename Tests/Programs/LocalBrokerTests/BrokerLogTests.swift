import LocalServices
import Testing

@testable import LocalBroker

@Suite struct BrokerLogTests {
    @Test func readyLineTellsTheVersion() {
        var log = BrokerLog()
        #expect(log.read("mosquitto version 2.0.11 starting") == nil)
        #expect(log.read("Opening ipv4 listen socket on port 1883.") == nil)
        #expect(log.read("mosquitto version 2.0.11 running") == .running(version: "2.0.11"))
    }

    @Test func endCarriesTheNewestLines() {
        var log = BrokerLog()
        for number in 1...20 { _ = log.read("line \(number)") }
        #expect(log.end() == .ended(lastLines: (9...20).map { "line \($0)" }))
    }

    @Test func onlyATakenPortIsWorthAnotherTry() {
        #expect(BrokerLog.portWasTaken(["Opening…", "Error: Address already in use"]))
        #expect(!BrokerLog.portWasTaken(["Error: Unable to open config file"]))
    }

    @Test func configurationKeepsToTheLoopbackAndTheUser() async throws {
        let access = try await AccessFiles.make(for: [.random(for: "jo")], "")
        defer { access.remove() }
        let text = PrivateBrokerConfiguration().mosquittoText(
            port: 4711, access: access, user: "jo")
        let lines = Set(text.split(separator: "\n"))
        #expect(lines.isSuperset(of: ["listener 4711 127.0.0.1", "user jo"]))
        #expect(lines.isSuperset(of: ["set_tcp_nodelay true", "persistence false"]))
        #expect(
            lines.isSuperset(of: ["allow_anonymous false", "password_file \(access.passwords)"]))
        #expect(lines.contains("acl_file \(access.accessControl)"))
        #expect(lines.contains("message_size_limit 65536"))
        let nameless = PrivateBrokerConfiguration().mosquittoText(
            port: 4711, access: access, user: nil)
        #expect(!nameless.contains("user"))
    }
}
