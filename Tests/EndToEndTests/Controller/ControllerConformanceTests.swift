import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// The controller's rows of docs/command-conformance.md: the built programs and a real broker, on both
/// versions of MQTT.
@Suite(.timeLimit(.minutes(2))) struct ControllerConformanceTests {
    // MARK: Row 15: undo and redo

    @Test(arguments: FleetBench.versions)
    func undoIsDoneOnceOrRefusedWithItsReason(version: String) async throws {
        try await FleetBench.with(version) { bench in
            try await bench.setLevel("max")
            try await bench.expect("undo", "sweeper-1", status: 0)
            #expect(try await bench.level == "balanced")
            try await bench.expect("undo", "sweeper-1", status: 1, remark: "nothing to undo")
            try await bench.expect("redo", "sweeper-1", status: 0)
            #expect(try await bench.level == "max")
            try await bench.expect("undo", "sweeper-1", status: 0)
            try await bench.setLevel("quiet")
            try await bench.expect("redo", "sweeper-1", status: 1, remark: "nothing to redo")
            try await bench.changeByHand(to: "turbo")
            try await bench.expect("undo", "sweeper-1", status: 1, remark: "has changed since")
            #expect(try await bench.level == "turbo")
            bench.freezeDevice()
            try await bench.expect(
                "send", "sweeper-1", "set-suction-level", "level=max", "--expires", "1s",
                "--wait-timeout", "1500ms", status: 3)
            try await bench.expect("undo", "sweeper-1", status: 1, remark: "is unknown; resolve it")
            bench.thawDevice()
        }
    }

    // MARK: Row 18: access rules

    @Test func aForbiddenCommandIsRefusedAtOnceOnMQTT5() async throws {
        try await withForbiddenCommands("5") { bench in
            let run = try await bench.homeport("send", "sweeper-1", "locate", "--expires", "1h")
            #expect(run.status == 1)
            #expect(run.output.contains("refused") && run.output.contains("FORBIDDEN"), "\(run)")
            #expect(try bench.executions(of: await bench.command("locate")) == 0)
        }
    }

    /// The broker confirms what it drops, so that silence is all that the controller hears.
    @Test func aForbiddenCommandIsUnknownOnMQTT311AndExplainNamesTheAccessRules() async throws {
        try await withForbiddenCommands("3.1.1") { bench in
            try await bench.expect(
                "send", "sweeper-1", "locate", "--expires", "1s", "--wait-timeout", "1500ms",
                status: 3)
            let command = try await bench.command("locate")
            #expect(command.state == "unknown")
            #expect(try bench.executions(of: command) == 0)
            let explained = try await bench.workplace.homeport("explain", command.id.text)
            #expect(explained.output.contains("access rules"), "\(explained)")
        }
    }

    private func withForbiddenCommands(
        _ version: String, _ body: (FleetBench) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let rules = try folder.file(
            "rules",
            """
            topic readwrite homeport/v1/#
            topic deny homeport/v1/home-1/sweeper-1/command

            """)
        try await FleetBench.with(version, broker: "acl_file \(rules)", body)
        withExtendedLifetime(folder) {}
    }
}

extension FleetBench {
    /// Sets the robot's suction level.
    fileprivate func setLevel(_ level: String) async throws {
        try await expect("send", "sweeper-1", "set-suction-level", "level=\(level)", status: 0)
    }

    /// Lets somebody else set it.
    fileprivate func changeByHand(to level: String) async throws {
        try await Listener.with(broker.url, hearing: ["homeport/v1/+/+/ack/+"]) { listener in
            let command = try TestCommand("set-suction-level", ["level": .string(level)])
            try await listener.send(command.payload, to: "sweeper-1")
            let ack = try await listener.hearAck(of: command.id, where: \.isFinal)
            #expect(ack.stage == .succeeded)
        }
    }

    /// The robot's suction level.
    fileprivate var level: String? {
        get async throws {
            let shown = try await homeport("show", "sweeper-1", "--json")
            let device = try JSONReader.read(Array(try #require(shown.lines.first).utf8))
            return device.object?["state"]?.object?["fanSpeed"]?.string
        }
    }
}
