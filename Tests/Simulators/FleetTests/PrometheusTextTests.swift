import Testing

@testable import Fleet

@Suite struct PrometheusTextTests {
    @Test func showsDevicesByKindAndActivity() {
        var snapshot = FleetSnapshot()
        snapshot.activities = [
            .init(kind: "sweeping-robot", name: "docked"): 2,
            .init(kind: "energy-store", name: "idle"): 1,
        ]
        let text = PrometheusText.of(snapshot)
        #expect(text.contains("# TYPE homeport_devices gauge\n"))
        #expect(text.contains("homeport_devices{kind=\"sweeping-robot\",activity=\"docked\"} 2\n"))
        #expect(text.contains("homeport_devices{kind=\"energy-store\",activity=\"idle\"} 1\n"))
    }

    @Test func countersAreSortedByLabel() {
        var snapshot = FleetSnapshot()
        snapshot.tally.sent = ["telemetry": 7, "ack": 1]
        let lines = PrometheusText.of(snapshot).split(separator: "\n")
        #expect(
            lines.filter { $0.hasPrefix("homeport_messages_sent_total{") } == [
                "homeport_messages_sent_total{topic=\"ack\"} 1",
                "homeport_messages_sent_total{topic=\"telemetry\"} 7",
            ])
    }

    @Test func escapesLabelValues() {
        var snapshot = FleetSnapshot()
        snapshot.tally.dropped = ["a\"b\\c\nd": 1]
        #expect(PrometheusText.of(snapshot).contains(#"{reason="a\"b\\c\nd"} 1"#))
    }

    @Test func isReadyOnlyWhenEveryDeviceIs() {
        var snapshot = FleetSnapshot()
        #expect(!snapshot.isReady)
        snapshot.totalDevices = 2
        snapshot.readyDevices = 1
        #expect(!snapshot.isReady)
        snapshot.readyDevices = 2
        #expect(snapshot.isReady)
    }
}
