/// A snapshot in the text format that Prometheus reads (exposition format 0.0.4).
package enum PrometheusText {
    /// The media type of the text.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The whole page.
    package static func of(_ snapshot: FleetSnapshot) -> String {
        families(of: snapshot).map(\.text).joined()
    }

    private static func families(of snapshot: FleetSnapshot) -> [MetricFamily] {
        let tally = snapshot.tally
        return [
            MetricFamily(
                "homeport_devices", .gauge, "Simulated devices by kind and activity.",
                snapshot.activities.sorted { $0.key < $1.key }.map {
                    ([("kind", $0.key.kind), ("activity", $0.key.name)], $0.value)
                }),
            MetricFamily(
                "homeport_connected_devices", .gauge, "Devices with an accepted connection.",
                snapshot.connectedDevices),
            MetricFamily(
                "homeport_ready_devices", .gauge,
                "Connected devices whose retained topics the broker has confirmed.",
                snapshot.readyDevices),
            MetricFamily(
                "homeport_abandoned_devices", .gauge,
                "Devices that will not connect again: refused, or their id is used elsewhere.",
                snapshot.abandonedDevices),
            MetricFamily(
                "homeport_messages_received_total", .counter,
                "Messages received by kind of topic.", tally.received, by: "topic"),
            MetricFamily(
                "homeport_messages_sent_total", .counter,
                "Messages handed to a connection by kind of topic.", tally.sent, by: "topic"),
            MetricFamily(
                "homeport_messages_dropped_total", .counter,
                "Messages dropped, ignored or answered from the record, by reason.", tally.dropped,
                by: "reason"),
            MetricFamily(
                "homeport_reconnects_total", .counter,
                "Connections beyond the first of each device.", tally.reconnects),
            MetricFamily(
                "homeport_journal_records_total", .counter, "Records written to the journal.",
                tally.journalRecords),
            MetricFamily(
                "homeport_invariant_violations_total", .counter,
                "How often invariants of the world did not hold.", tally.violations, by: "name"),
            MetricFamily(
                "homeport_journal_size_bytes", .gauge, "Length of the journal.",
                snapshot.journalBytes),
            MetricFamily(
                "homeport_faults_active", .gauge, "Devices that have a fault, by fault.",
                snapshot.faults, by: "fault"),
            MetricFamily(
                "homeport_world_seconds_total", .counter,
                "Seconds of the world clock since the start.", "\(snapshot.worldSeconds)"),
            MetricFamily(
                "homeport_speed_ratio", .gauge,
                "Speed that the world reaches, as a share of --speed.", "\(snapshot.speedRatio)"),
            MetricFamily(
                "homeport_lateness_seconds", "How late samples are made.", snapshot.lateness),
            MetricFamily(
                "homeport_command_latency_seconds",
                "From the arrival of a command to its last acknowledgement.",
                snapshot.commandLatency),
        ]
    }
}

/// One metric with all its samples.
private struct MetricFamily {
    enum Kind: String {
        case counter, gauge, histogram
    }

    /// One line of it.
    struct Sample {
        /// What its name has in addition to that of the metric.
        var suffix = ""
        var labels: [(String, String)] = []
        let value: String
    }

    /// The upper ends of the classes of a histogram, ms.
    private static let ends = [
        1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 600_000,
        3_600_000,
    ]

    let name: String
    let kind: Kind
    let help: String
    let samples: [Sample]

    init(
        _ name: String, _ kind: Kind, _ help: String,
        _ samples: [(labels: [(String, String)], value: Int)]
    ) {
        self.init(
            name, kind, help, samples.map { Sample(labels: $0.labels, value: "\($0.value)") })
    }

    private init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }

    init(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        self.init(name, kind, help, "\(value)")
    }

    init(_ name: String, _ kind: Kind, _ help: String, _ value: String) {
        self.init(name, kind, help, [Sample(value: value)])
    }

    init(
        _ name: String, _ kind: Kind, _ help: String, _ values: [String: Int], by label: String
    ) {
        self.init(
            name, kind, help,
            values.sorted { $0.key < $1.key }.map { (labels: [(label, $0.key)], value: $0.value) })
    }

    /// Times in seconds.
    init(_ name: String, _ help: String, _ times: MillisecondHistogram) {
        var samples = Self.ends.map { end in
            Sample(
                suffix: "_bucket", labels: [("le", "\(Double(end) / 1000)")],
                value: "\(times.count(upTo: end))")
        }
        samples += [
            Sample(suffix: "_bucket", labels: [("le", "+Inf")], value: "\(times.total)"),
            Sample(suffix: "_sum", value: "\(Double(times.sum) / 1000)"),
            Sample(suffix: "_count", value: "\(times.total)"),
        ]
        self.init(name, .histogram, help, samples)
    }

    var text: String {
        let head = "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        return samples.reduce(into: head) { text, sample in
            text += "\(name)\(sample.suffix)\(Self.labels(sample.labels)) \(sample.value)\n"
        }
    }

    private static func labels(_ labels: [(String, String)]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",") + "}"
    }

    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { text, character in
            switch character {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.append(character)
            }
        }
    }
}
