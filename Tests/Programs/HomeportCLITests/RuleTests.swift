import Foundation
import Homeport
import TestSupport
import Testing

/// The built `homeport rule`.
@Suite(.timeLimit(.minutes(1))) struct RuleTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test func aRuleIsAddedListedPausedAndRemoved() async throws {
        try await withKnownLamp {
            let added = try await workplace.homeport(
                "rule", "add", "dark", "--when", "brightness<20", "--for", "5m", "--margin", "2.5",
                "--device", "lamp", "--if", "on=true", "--do", "set-level percent=40", "--do",
                "notify", "--once-per", "1h", "--max-age", "60s", "--json")
            #expect(added.status == 0, "\(added)")
            #expect(added.errors.contains("while a 'homeport serve' of this ledger runs"))
            let rule = try #require(try await list().first)
            #expect(rule["id"] as? String == "1")
            #expect(rule["name"] as? String == "dark")
            #expect(rule["when"] as? String == "brightness<20")
            #expect(rule["for"] as? String == "5m")
            #expect(rule["margin"] as? Double == 2.5)
            #expect(rule["device"] as? String == "lamp-1")
            #expect(rule["kind"] is NSNull && rule["room"] is NSNull && rule["to"] is NSNull)
            #expect(rule["if"] as? [String] == ["on=true"])
            #expect(rule["do"] as? [String] == ["set-level percent=40", "notify"])
            #expect(rule["oncePer"] as? String == "1h")
            #expect(rule["maxAge"] as? String == "1m")
            #expect(rule["paused"] as? Bool == false)
            #expect(rule["lastRunAt"] is NSNull && rule["lastCause"] is NSNull)
            #expect(try await workplace.homeport("rule", "pause", "DARK").status == 0)
            #expect(try await list().first?["paused"] as? Bool == true)
            #expect(try await workplace.homeport("rule", "list").output.contains("paused"))
            #expect(try await workplace.homeport("rule", "resume", "1").status == 0)
            #expect(try await list().first?["paused"] as? Bool == false)
            #expect(try await workplace.homeport("rule", "remove", "dark").status == 0)
            #expect(try await list().isEmpty)
            #expect(try await workplace.homeport("rule", "remove", "dark").status == 65)
        }
    }

    @Test(arguments: [
        (["r", "--when", "event=", "--do", "notify"], 64, "such as event=stuck"),
        (["r", "--when", "at=8:30", "--do", "notify"], 64, "write a time from 00:00"),
        (["r", "--when", "noon", "--do", "notify"], 64, "write event=NAME"),
        (["r", "--when", "event=stuck"], 64, "--do is missing"),
        (["r", "--do", "notify"], 64, "--when"),
        (["12", "--when", "event=stuck", "--do", "notify"], 64, "is a number"),
        (["r", "--when", "event=stuck", "--for", "5m", "--do", "notify"], 64, "over at once"),
        (["r", "--when", "event=stuck", "--do", "notify", "a=b"], 64, "Unexpected argument"),
        (
            ["r", "--when", "event=stuck", "--do", "'notify loudly=true'"], 64,
            "notify has no arguments"
        ),
        (["r", "--when", "event=stuck", "--do", "'set-level percent'"], 64, "write key=value"),
        (["r", "--when", "event=stuck", "--do", "percent=4"], 64, "write a command first"),
        (
            ["r", "--when", "event=stuck", "--do", "notify", "--to", "lamp-1"], 64,
            "--to is for a command"
        ),
        (["r", "--when", "sunset", "--do", "notify"], 64, "write location: {latitude"),
        (["r", "--when", "at=08:30", "--do", "locate"], 64, "name the devices"),
        (
            ["r", "--when", "event=x", "--device", "lamp-1", "--kind", "lamp", "--do", "notify"],
            64,
            "give one of them"
        ),
        (["r", "--when", "event=stuck", "--device", "lamp-1", "--do", "fly"], 65, "no command"),
        (
            [
                "r", "--when", "event=stuck", "--device", "lamp-1", "--do",
                "'set-level percent=400'",
            ],
            65, "percent"
        ),
        (["r", "--when", "event=stuck", "--room", "Attic", "--do", "notify"], 65, "no room"),
        (
            ["r", "--when", "event=stuck", "--kind", "robot", "--do", "notify"], 65,
            "no device of kind"
        ),
    ])
    func aWrongRuleIsToldAndNotAdded(
        arguments: [String], status: Int32, message: String
    ) async throws {
        try await withKnownLamp {
            let run = try await workplace.shell(
                "exec \"$homeport\" rule add \(arguments.joined(separator: " "))")
            #expect(run.status == status, "\(run)")
            #expect(run.errors.contains(message), "\(run.errors)")
            #expect(try await list().isEmpty)
        }
    }

    @Test func aRunningServerRunsARuleAndExplainsIt() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                let told = "\(workplace.folder.path)/told"
                let config = try workplace.folder.file(
                    "homeport.yaml",
                    "notify-command: [/bin/sh, -c, 'echo \"$1\" >> \"$0\"', \(told)]\n")
                let options = ["--broker", broker.url, "--config", config]
                _ = try await workplace.homeport(["devices"] + options)
                let rule = ["--when", "brightness<20", "--device", "lamp-1", "--once-per", "1h"]
                let added = try await workplace.homeport(
                    ["rule", "add", "dark", "--do", "locate", "--do", "notify"] + rule + options)
                #expect(added.status == 0, "\(added)")
                let status = try await workplace.runningForRemarks(["serve"] + options) { server in
                    try await server.line(beginning: "ready")
                    var number = 0
                    while try await list().first?["lastRunAt"] is NSNull {
                        for brightness in [30, 10] {
                            number += 1
                            try await publish(brightness, number, by: device)
                        }
                    }
                    let command = try #require(try await device.commands(1).first)
                    try await device.carryOut(command)
                    let explained = try await workplace.homeport(["explain", "last"] + options)
                    #expect(
                        explained.output.contains(
                            "because of  rule 1 (dark): Lamp (lamp-1) reports brightness 10"),
                        "\(explained)")
                    // The program has been told, or is being told.
                    try await server.line(
                        beginning: "homeport: rule 1, dark: Lamp (lamp-1) reports")
                    kill(server.processID, SIGTERM)
                }
                #expect(status == 0)
                #expect(
                    try workplace.folder.text(of: "told")
                        == "dark: Lamp (lamp-1) reports brightness 10: brightness<20\n")
                let cause = try await list().first?["lastCause"] as? String
                #expect(cause == "Lamp (lamp-1) reports brightness 10: brightness<20")
            }
        }
    }

    // MARK: Steps

    /// A sample that was taken now.
    private func publish(_ brightness: Int, _ number: Int, by device: FakeDevice) async throws {
        let now = MachineClock.wallTime.milliseconds
        try await device.peer.publish(
            "homeport/v1/home-1/lamp-1/telemetry",
            #"{"v":1,"device":"lamp-1","boot":"b1","at":\#(now),"n":\#(number),"#
                + #""values":{"brightness":\#(brightness)}}"#)
    }

    /// Runs `body` with a ledger that remembers a lamp whose broker has ended.
    private func withKnownLamp(_ body: () async throws -> Void) async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { _ in
                let run = try await workplace.homeport("devices", "--broker", broker.url)
                #expect(run.status == 0)
            }
        }
        try await body()
    }

    private func list() async throws -> [[String: Any]] {
        let run = try await workplace.homeport("rule", "list", "--json")
        #expect(run.status == 0, "\(run)")
        return try run.lines.map { line in
            try #require(
                JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }
}
