internal import MQTTClient
internal import MosquittoAdapter

/// Whether several addresses of a broker are one cluster, from what a probe has observed. Pure.
struct ClusterCheck: Sendable {
    /// The ways between those nodes that could be reached.
    let paths: [ClusterPath]

    /// What was found.
    var findings: [Finding] {
        guard !paths.isEmpty else { return [] }
        return [delivery, replay].compactMap(\.self)
    }

    private var delivery: Finding {
        let broken = paths.filter { $0.delivers == false }
        if !broken.isEmpty {
            return .problem(
                .cluster,
                "what is published at one address does not arrive at the other: \(list(broken)); devices and "
                    + "controllers that are connected to different ones do not hear each other",
                remedy:
                    "join the brokers (for mosquitto a bridge for every topic, both ways), or name only "
                    + "addresses of one cluster")
        }
        let untried = paths.filter { $0.delivers == nil }
        guard untried.isEmpty else {
            return .warning(
                .cluster,
                "whether messages pass from one address to the other is not known: \(list(untried))",
                remedy: "allow this user to write and read below the fence of the home")
        }
        return .ok(.cluster, "what is published at any of the addresses arrives at the others")
    }

    private var replay: Finding? {
        let missing = paths.filter { $0.replays == false }
        guard missing.isEmpty else {
            return .problem(
                .cluster,
                "what is retained at one address is not there at the other: \(list(missing)); who connects to "
                    + "that one does not know devices that are away, nor what they keep",
                remedy:
                    "use a cluster that shares retained messages (RabbitMQ 3 keeps them on each node by "
                    + "itself), or for mosquitto bridge every topic both ways")
        }
        guard paths.contains(where: { $0.replays == true }) else { return nil }
        return .ok(.cluster, "what is retained at any of the addresses is there at the others")
    }

    private func list(_ paths: [ClusterPath]) -> String {
        paths.map { "\($0.from) to \($0.to)" }.joined(separator: ", ")
    }
}
