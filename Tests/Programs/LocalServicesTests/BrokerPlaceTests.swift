import LocalServices
import Testing

/// Whether two addresses name one broker.
@Suite struct BrokerPlaceTests {
    @Test(arguments: [
        ("mqtt://127.0.0.1:1883", "mqtt://127.0.0.1:1883"),
        ("mqtt://localhost:1883", "mqtt://127.0.0.1:1883"),
        ("mqtt://[::1]:1883", "mqtt://localhost:1883"),
        ("mqtts://Broker.example:8883", "mqtts://broker.example:8883"),
    ])
    func theseAreOne(pair: (String, String)) {
        #expect(BrokerPlace(pair.0).isSame(as: BrokerPlace(pair.1)))
        #expect(BrokerPlace(pair.1).isSame(as: BrokerPlace(pair.0)))
    }

    @Test(arguments: [
        ("mqtt://127.0.0.1:1883", "mqtt://127.0.0.1:1884"),
        ("mqtt://localhost:1883", "mqtts://localhost:1883"),
        ("mqtt://[::1]:1883", "mqtt://127.0.0.1:1883"),
        ("mqtt://localhost:1883", "mqtt://localhost.example:1883"),
    ])
    func theseAreTwo(pair: (String, String)) {
        #expect(!BrokerPlace(pair.0).isSame(as: BrokerPlace(pair.1)))
    }
}
