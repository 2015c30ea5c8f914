import TestSupport
import Testing

/// The commands of `docs/brokers.md`, run as they stand but for the ports.
@Suite(.timeLimit(.minutes(2))) struct BrokerPageTests {
    /// The shell blocks of a section.
    private func commands(under title: String) throws -> [String] {
        let page = try CodeSamples.text(of: "docs/brokers.md")
        let begin = try #require(page.firstRange(of: "\n## \(title)\n"))
        let rest = page[begin.upperBound...]
        let section = rest.firstRange(of: "\n## ").map { rest[..<$0.lowerBound] } ?? rest
        return section.components(between: "```sh\n", and: "```")
    }

    @Test func theMosquittoOfThePageServesTheHomeAndNobodyElse() async throws {
        let workplace = try Workplace()
        let port = try freePortPair()
        let certificates = try commands(under: "Certificates")
        let mosquitto = try commands(under: "mosquitto")
        try #require(certificates.count == 1 && mosquitto.count == 3)
        let start = mosquitto[0].replacing("mosquitto -c", with: "exec mosquitto -c")
        let (fleet, devices) = try #require(mosquitto[1].firstRange(of: "\nhomeport devices"))
            .split(
                mosquitto[1])
        let script = """
            set -euo pipefail
            cd "$HOME"
            homeport() { command "$homeport" "$@"; }
            \(certificates[0])
            (
            \(start)) 2> broker.log &
            broker=$!
            trap 'kill $simulator $broker; wait' EXIT
            until grep -q ' running$' broker.log; do kill -0 $broker; read -t 0.05 <> <(:) || true; done
            (
            exec \(fleet.replacing("homeport-sim", with: "\"$simulatorProgram\""))) 2> simulator.log &
            simulator=$!
            until grep -q '^ready 4 devices' simulator.log; do kill -0 $simulator; read -t 0.05 <> <(:) || true; done
            \(devices)
            \(mosquitto[2])
            """
        let run = try await workplace.shell(
            script.replacing("8883", with: "\(port)").replacing("8884", with: "\(port + 1)"),
            environment: ["simulatorProgram": try ChildProcess.path(of: "homeport-sim")])
        #expect(run.status == 0, "\(run.errors)")
        for device in ["sweeper-1", "sweeper-2", "pool-1", "store-1"] {
            #expect(
                run.lines.contains { $0.hasPrefix("\(device) ") && $0.contains(" online ") },
                "\(run.output)")
        }
        #expect(run.lines.contains { $0.hasPrefix("home-1/sweeper-2 ") && $0.contains("revoked") })
    }
}

extension Range<String.Index> {
    /// What stands before the range, and what begins with it.
    fileprivate func split(_ text: String) -> (String, String) {
        (String(text[..<lowerBound]), String(text[lowerBound...]))
    }
}

extension Substring {
    fileprivate func components(between begin: String, and end: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let first = rest.firstRange(of: begin),
            let last = rest[first.upperBound...].firstRange(of: end)
        {
            parts.append(String(rest[first.upperBound..<last.lowerBound]))
            rest = rest[last.upperBound...]
        }
        return parts
    }
}
