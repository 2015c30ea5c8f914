import Homeport
import TestSupport
import Testing

/// The built program and a home of two thousand devices, on a broker with its default limits.
@Suite(.timeLimit(.minutes(2))) struct ManyDevicesTests {
    @Test func twoThousandDevicesAreListed() async throws {
        let workplace = try Workplace()
        let names = (1...2_000).map { "lamp-\($0)" }
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { peer in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (number, name) in names.enumerated() {
                        if number >= 50 { try await group.next() }
                        group.addTask { try await FakeDevice(id: name, peer: peer).announce() }
                    }
                    try await group.waitForAll()
                }
            }
            let run = try await workplace.homeport("devices", "--json", "--broker", broker.url)
            #expect(run.status == 0)
            #expect(run.errors.isEmpty, "two passes that agree are a complete list")
            let listed = try run.lines.map { try JSONReader.read(Array($0.utf8)).object ?? [:] }
            #expect(listed.count == 2_000)
            #expect(Set(listed.compactMap { $0["device"]?.string }) == Set(names))
            #expect(listed.allSatisfy { $0["kind"] == "lamp" && $0["presence"] == "online" })
            #expect(listed.allSatisfy { $0["revision"] == 7 })
        }
    }
}
