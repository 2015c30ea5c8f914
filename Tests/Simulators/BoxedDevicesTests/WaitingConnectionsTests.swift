import Testing

@testable import BoxedDevices

/// Connections that stay silent do not keep others from an access point.
@Suite(.timeLimit(.minutes(1))) struct WaitingConnectionsTests {
    @Test func theOneThatWaitsLongestGoes() async {
        let waiting = WaitingConnections(atMost: 2)
        let places = (0..<4).map { _ in WaitingConnections.Place() }
        waiting.add(places[0])
        waiting.add(places[1])
        // Its request has come, so it waits anew.
        waiting.remove(places[0])
        waiting.add(places[0])
        #expect(waiting.contains(places[1]))
        waiting.add(places[2])
        for await _ in places[1].ending {}
        #expect(!waiting.contains(places[1]))
        waiting.remove(places[2])
        waiting.add(places[3])
        #expect(waiting.contains(places[0]) && waiting.contains(places[3]))
    }
}
