import Basics
import MQTTClient
import Testing

/// The addresses of one cluster.
@Suite struct BrokerClusterTests {
    @Test(arguments: [
        ("mqtt://a", ["mqtt://a:1883"]),
        ("mqtt://a,mqtt://b:1884", ["mqtt://a:1883", "mqtt://b:1884"]),
        ("mqtts://[::1]:9, MQTTS://b", ["mqtts://[::1]:9", "mqtts://b:8883"]),
    ])
    func addressesAreReadInTheirOrder(urls: String, expected: [String]) throws {
        let addresses = try MQTTBrokerAddress.cluster(urls: urls)
        #expect(addresses.map(\.description) == expected)
        #expect(try MQTTBrokerAddress.cluster(urls: addresses.clusterText) == addresses)
    }

    @Test(arguments: [
        ("", "does not have the form"),
        (",", "names nothing between two commas, or at an end"),
        ("mqtt://a,", "names nothing between two commas, or at an end"),
        ("mqtt://a,,mqtt://b", "names nothing between two commas, or at an end"),
        ("mqtt://a,b", "does not have the form"),
        ("mqtt://a,mqtt://a:1883", "mqtt://a:1883 is named twice"),
        ("mqtt://a,mqtts://b", "some brokers of \"mqtt://a,mqtts://b\" use TLS and some do not"),
        ("mqtt://a,mqtt://u:p@b", "carries a user or password"),
    ])
    func whatIsWrongIsSaid(urls: String, part: String) {
        let error = #expect(throws: MQTTError.self) { try MQTTBrokerAddress.cluster(urls: urls) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test func clientsBeginAtEachOfThem() throws {
        let all = try MQTTBrokerAddress.cluster(urls: "mqtt://a,mqtt://b,mqtt://c")
        var generator = SeededGenerator(seed: 7)
        var firsts: [MQTTBrokerAddress: Int] = [:]
        for _ in 0..<300 {
            let order = all.fromRandomOne(using: &generator)
            #expect(Set(order) == Set(all) && order.count == 3)
            firsts[order[0], default: 0] += 1
        }
        #expect(firsts.values.allSatisfy { (60...140).contains($0) } && firsts.count == 3)
        #expect([all[0]].fromRandomOne(using: &generator) == [all[0]])
    }
}
