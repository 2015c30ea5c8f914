import Glibc
import MQTTClient
import TestSupport
import Testing

/// The private broker of a simulator: who gets in, and how.
@Suite(.timeLimit(.minutes(2)))
struct SimulatorBrokerTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    /// Runs a simulator with two sweepers on a broker of its own; the body gets the broker's URL and
    /// the command that the simulator gives as an example.
    private func withSimulator(
        _ body: (_ url: String, _ example: String) async throws -> Void
    ) async throws {
        let ending = try await SimulatorProcess.run(
            ["--sweepers", "2"], meetingIn: workplace.folder
        ) { simulator in
            let url = try await simulator.line(beginning: "broker ")
            try await simulator.line(beginning: "other tools connect as user ")
            let example = try await simulator.line(beginning: "  ")
            try await simulator.line(beginning: "ready 2 devices")
            try await body(url, example)
        }
        #expect(ending.status == 0)
        #expect(ending.lines.count == 4)
    }

    @Test func whoHasNoPasswordIsRefused() async throws {
        try await withSimulator { url, _ in
            #expect(url.hasPrefix("mqtt://127.0.0.1:"))
            let error = await #expect(throws: MQTTError.self) {
                try await Listener.with(url) { _ in }
            }
            #expect(
                [MQTTReasonCode.notAuthorized, .badUserNameOrPassword].contains(error?.reasonCode))
        }
    }

    @Test func anotherToolConnectsAsTheSimulatorSays() async throws {
        try await withSimulator { _, example in
            // Every user of the machine can read what stands on a command line.
            #expect(!example.contains("-P"))
            let heard = try await workplace.shell("\(example) -C 6 -W 20")
            #expect(heard.status == 0)
            #expect(heard.lines.contains { $0.hasPrefix("homeport/v1/home-1/sweeper-2/") })
        }
    }

    @Test func theControllerConnectsUnaskedAndByTheURL() async throws {
        try await withSimulator { url, _ in
            for options in [[], ["--broker", url]] {
                let run = try await workplace.shell(
                    "$homeport devices \(options.joined(separator: " "))")
                #expect(run.status == 0, "\(run.errors)")
                #expect(run.output.contains("sweeper-2"))
            }
            let named = try await workplace.shell(
                "$homeport devices", environment: ["HOMEPORT_BROKER": url])
            #expect(named.status == 0)
        }
    }

    @Test func theControllerConnectsByAConfiguredChannel() async throws {
        try await withSimulator { url, _ in
            let channel = "id: mqtt, kind: homeport-mqtt, broker: \"\(url)\""
            let plain = try workplace.folder.file("plain.yaml", "channels: [{\(channel)}]\n")
            let run = try await workplace.homeport("devices", "--config", plain)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains("sweeper-2"))
            let other = try workplace.folder.file(
                "other.credentials", "username=homeport\npassword=wrong\n")
            let named = try workplace.folder.file(
                "named.yaml", "channels: [{\(channel), credentials: \"\(other)\"}]\n")
            let refused = try await workplace.homeport(
                "devices", "--config", named, "--connect-timeout", "1s")
            #expect(refused.status == 5, "\(refused.output)")
        }
    }

    @Test func aSecondSimulatorConnectsByTheURL() async throws {
        try await withSimulator { url, _ in
            let second = try await SimulatorProcess.run(
                ["--broker", url, "--home", "villa", "--pools", "1"], meetingIn: workplace.folder
            ) { try await $0.line(beginning: "ready 1 devices") }
            #expect(second.status == 0)
        }
    }

    /// The password is in the meeting file and nowhere else that other users can read.
    @Test func thePasswordIsOnNoCommandLine() async throws {
        try await withSimulator { _, _ in
            let search = try await workplace.shell(
                """
                password=$(sed 's/.*"password":"\\([^"]*\\)".*/\\1/' "$XDG_RUNTIME_DIR"/homeport/brokers/*.json)
                [ ${#password} -eq 48 ] || exit 3
                stat -c %a "$XDG_RUNTIME_DIR"/homeport/brokers/*.json
                # The search itself does not name it on its command line.
                cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' |
                     { ! grep -F -c -f <(echo "$password"); }
                """)
            #expect(search.status == 0, "\(search.output) \(search.errors)")
            #expect(search.lines.first == "600")
        }
    }
}
