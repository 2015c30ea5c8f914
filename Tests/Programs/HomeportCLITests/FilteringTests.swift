import ArgumentParser
import Foundation
import Homeport
import TestSupport
import Testing

@testable import HomeportCLI

/// The built program with `--kind`, `--where`, `--watch` and `--wait`.
@Suite(.timeLimit(.minutes(1))) struct FilteringTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    private func object(_ line: String?) throws -> [String: Any] {
        let data = Data(try #require(line).utf8)
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func devicesAreFiltered() async throws {
        try await withBroker { broker in
            try await FakeDevice.with("lamp-1", on: broker.url) { _ in
                try await FakeDevice.with("lamp-2", on: broker.url) { second in
                    try await second.publish(state: #"{"activity":"off","level":30}"#)
                    for (arguments, expected) in [
                        ("", ["lamp-1", "lamp-2"]), ("--kind lamp", ["lamp-1", "lamp-2"]),
                        ("--where activity=off", ["lamp-2"]),
                        ("--where activity!=off", ["lamp-1"]),
                        ("--kind lamp --where 'level>=30' --where activity=off", ["lamp-2"]),
                        ("--where 'level<30' --no-wait", []),
                    ] {
                        let run = try await workplace.shell(
                            "\"$homeport\" devices --json --broker \(broker.url) \(arguments)")
                        #expect(run.status == 0)
                        let found = try run.lines.map { try object($0)["device"] as? String }
                        #expect(found == expected, "\(arguments)")
                        #expect(run.errors.contains("no device") == expected.isEmpty)
                    }
                }
            }
        }
    }

    @Test(
        arguments: [
            (nil, ["battery<20"], "battery; did you mean batteryPercent or batteryPowerW?"),
            (nil, ["activity=idle", "frob=1"], "frob"),
            (nil, ["batteryPercent<20"], nil), (nil, ["stateOfChargePercent<20"], nil),
            (nil, ["depthM>1"], nil), (.energyStore, ["activity=idle"], "activity"),
            (.init(rawValue: "lamp"), ["frob=1"], nil), (.energyStore, [], nil),
        ] as [(DeviceKind?, [String], String?)])
    func aMemberThatNoDeviceReportsIsRefused(
        kind: DeviceKind?, conditions: [String], refused: String?
    ) throws {
        let filter = DeviceFilter(
            kind: kind, conditions: try conditions.map { try DeviceCondition($0) })
        var home = try SampleHome.ordinary()
        var silent = home
        try home.add("sweeper-10", "sweeping-robot", "sweeper-s1", "Sweeper 10", state: [:])
        let devices = home.devices
        try silent.add("lamp-1", kind?.rawValue ?? "lamp", "m", "Lamp")
        var error: HomeError?
        do throws(HomeError) {
            try filter.requireReportedMembers(among: devices)
        } catch let refusal {
            error = refusal
        }
        #expect(error?.code == (refused == nil ? nil : .unknownMember))
        if let refused { #expect(error?.message.hasSuffix(" a member \(refused)") == true) }
        #expect(throws: Never.self) {
            try filter.requireReportedMembers(among: silent.devices)
        }
    }

    @Test(arguments: [
        ["devices"], ["devices", "--watch"], ["watch"], ["watch", "lamp-1"], ["history"],
        ["history", "--device", "lamp-1"], ["send", "locate"],
    ])
    func aMemberThatNoDeviceReportsEndsEveryVerb(words: [String]) async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                try await device.publish(state: #"{"activity":"off"}"#)
                try await device.presence("offline")
                let run = try await workplace.homeport(
                    [words[0], "--where", "activty=off"] + words.dropFirst()
                        + ["--broker", broker.url])
                #expect(run.status == 65, "\(run)")
                #expect(run.output.isEmpty)
                #expect(
                    run.errors
                        == "homeport: no device is known to report a member activty; did you mean "
                        + "activity? ('homeport show DEVICE' lists what a device reports)\n")
                #expect(try await workplace.homeport("history", "--json").output.isEmpty)
            }
        }
    }

    @Test(arguments: [
        ["devices", "--json"], ["devices", "--no-wait"], ["history"],
        ["history", "--device", "lamp-1"], ["history", "--where", "level>1"], ["send", "locate"],
    ])
    func aKindThatNoKnownDeviceHasIsRefused(words: [String]) async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { _ in
                let known = try await workplace.homeport("devices", "--broker", broker.url)
                #expect(known.status == 0)
                let run = try await workplace.homeport(
                    [words[0], "--kind", "lmap"] + words.dropFirst() + ["--broker", broker.url])
                #expect(run.status == 65, "\(run)")
                #expect(run.output.isEmpty)
                #expect(
                    run.errors
                        == "homeport: no device of kind lmap is known in home-1 at \(broker.url); the "
                        + "kinds that are known: lamp ('homeport devices' lists the devices)\n")
            }
        }
    }

    @Test(arguments: [["watch"], ["devices", "--watch"]])
    func aKindThatNoKnownDeviceHasIsWaitedFor(words: [String]) async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { _ in
                let status = try await workplace.runningForRemarks(
                    words + ["--kind", "lmap", "--broker", broker.url]
                ) { program in
                    let remark = try await program.line()
                    #expect(
                        remark
                            == "homeport: no device of kind lmap is known in home-1 at \(broker.url); "
                            + "the kinds that are known: lamp; waiting for one")
                    program.interrupt()
                }
                #expect(status == 0)
            }
        }
    }

    @Test(arguments: ["devices", "watch", "history"])
    func aWrongConditionIsAUsageErrorWithARemedy(verb: String) async throws {
        let run = try await workplace.homeport(verb, "--where", "battery<>5")
        #expect(run.status == 64)
        #expect(run.remarks.count == 1)
        #expect(run.errors.contains("write one of < <= = >= > !="))
    }

    @Test func aFilterThatNeedsASampleWaitsForItAndSaysWhenNoneCame() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { _ in
                let run = try await workplace.homeport(
                    "devices", "--json", "--where", "depthM>1", "--wait-timeout", "50ms",
                    "--broker", broker.url)
                #expect(run.status == 65)
                #expect(run.output.isEmpty)
                #expect(run.errors.contains("lamp-1 sent no sample within 50ms"))
                #expect(run.errors.contains("no device is known to report a member depthM"))
            }
        }
    }

    @Test func showSaysWhenNoSampleCame() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                let run = try await workplace.homeport(
                    "show", "lamp-1", "--wait", "--wait-timeout", "50ms", "--broker", broker.url)
                #expect(run.status == 0)
                #expect(run.output.contains("no sample came within 50ms"))
                #expect(run.errors.contains("lamp-1 sent no sample within 50ms"))
                let hasty = try await workplace.homeport("show", "lamp-1", "--broker", broker.url)
                #expect(hasty.output.contains("no sample yet (one every few seconds)"))
                #expect(hasty.errors.isEmpty)
                try await device.presence("offline")
                let offline = try await workplace.homeport(
                    "show", "lamp-1", "--wait", "--broker", broker.url)
                #expect(offline.errors.contains("lamp-1 sends no telemetry: it is offline"))
            }
        }
    }

    @Test func showWaitsForASample() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                let program = try ChildProcess.path(of: "homeport")
                let ending = try await ChildProcess.run(
                    program,
                    [
                        "show", "lamp-1", "--wait", "--wait-timeout", "50s", "--verbose",
                        "--broker", broker.url, "--database", "\(workplace.folder.path)/ledger",
                    ],
                    reading: .errors
                ) { program in
                    try await program.line(beginning: "homeport: waiting for a sample of lamp-1")
                    try await device.publish(telemetry: #"{"depthM":1.5}"#)
                }
                #expect(ending.status == 0)
                #expect(!ending.lines.contains { $0.contains("sent no sample") })
            }
        }
    }

    @Test func watchNamesADeviceThatIsNotThere() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { _ in
                let ending = try await ChildProcess.run(
                    try ChildProcess.path(of: "homeport"),
                    [
                        "watch", "lamp-1", "nobody", "--broker", broker.url,
                        "--database", "\(workplace.folder.path)/ledger",
                    ],
                    reading: .errors
                ) { program in
                    let rest = try await program.line(beginning: "homeport: no device ")
                    #expect(
                        rest
                            == "nobody is known in home-1 at \(broker.url) yet; waiting for it; its devices are "
                            + "lamp-1")
                    program.interrupt()
                }
                #expect(ending.status == 0)
                #expect(!ending.lines.contains { $0.contains("no device lamp-1") })
            }
        }
    }

    @Test func aDeviceThatMayBeMeantIsNamed() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { _ in
                let status = try await workplace.runningForRemarks(
                    "watch", "lmap-1", "--broker", broker.url
                ) { program in
                    let rest = try await program.line(beginning: "homeport: no device ")
                    #expect(rest.hasSuffix("waiting for it; did you mean lamp-1?"))
                    program.interrupt()
                }
                #expect(status == 0)
            }
        }
    }

    @Test func aHomeWithoutDevicesIsToldWhichHomesTheBrokerHas() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { _ in
                let run = try await workplace.homeport(
                    "devices", "--home", "lake", "--broker", broker.url)
                #expect(run.status == 0 && run.output.isEmpty)
                #expect(
                    run.errors == "homeport: no device of lake was heard; this broker has home-1: "
                        + "pass --home home-1\n")
            }
        }
    }

    @Test func theListIsKeptUpToDate() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                let status = try await workplace.running(
                    "devices", "--watch", "--json", "--kind", "lamp", "--broker", broker.url
                ) { program in
                    let first = try object(try await program.line())
                    #expect(first["revision"] as? Int == 7)
                    #expect(first["telemetry"] is NSNull)
                    try await device.state(revision: 8)
                    let second = try object(try await program.line())
                    #expect(second["device"] as? String == "lamp-1")
                    #expect(second["revision"] as? Int == 8)
                    #expect(Set(second.keys) == Set(first.keys))
                    try await device.publish(telemetry: #"{"depthM":1.5}"#)
                    let third = try object(try await program.line())
                    #expect((third["telemetry"] as? [String: Double]) == ["depthM": 1.5])
                    for part in ["description", "presence", "state"] {
                        try await device.peer.publish(
                            "homeport/v1/home-1/lamp-1/\(part)", "", retain: true)
                    }
                    while let line = try await program.line() {
                        if try object(line)["type"] as? String == "removed" { break }
                    }
                    program.interrupt()
                }
                #expect(status == 0)
            }
        }
    }

    @Test func watchNamesCommandsAndLeavesStatusQueriesOut() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                let status = try await workplace.running(
                    "watch", "--json", "--broker", broker.url
                ) { program in
                    for _ in 0..<2 { _ = try await program.line() }
                    async let sent = workplace.homeport(
                        "send", "lamp-1", "locate", "--broker", broker.url)
                    let command = try #require(try await device.commands(1).first)
                    try await device.carryOut(command)
                    for stage in ["accepted", "succeeded"] {
                        let ack = try object(try await program.line())
                        #expect(ack["name"] as? String == "locate")
                        #expect(ack["stage"] as? String == stage)
                    }
                    #expect(try await sent.status == 0)
                    let query = "018f3c20-7b9a-7c2e-9d5e-3a1f0c9b7e11"
                    try await device.acknowledge(command, n: 1, "accepted", id: query)
                    try await device.acknowledge(
                        command, n: 2, "succeeded",
                        result: #"{"commands":[{"id":"x","outcome":"never"}]}"#, id: query)
                    try await device.state(revision: 9)
                    #expect(try object(try await program.line())["type"] as? String == "state")
                    program.interrupt()
                }
                #expect(status == 0)
            }
        }
    }

    @Test func historyIsFiltered() async throws {
        try await withBroker { broker in
            for id in ["lamp-1", "lamp-2"] {
                try await FakeDevice.with(id, on: broker.url) { device in
                    async let sent = workplace.homeport(
                        "send", id, "locate", "--broker", broker.url)
                    try await device.carryOut(try #require(try await device.commands(1).first))
                    #expect(try await sent.status == 0)
                    if id == "lamp-2" { try await device.publish(state: #"{"activity":"off"}"#) }
                }
            }
            for (arguments, expected) in [
                ("--kind lamp", ["lamp-2", "lamp-1"]),
                ("--where activity=none --broker \(broker.url)", []),
                ("--kind lamp --device lamp-1", ["lamp-1"]),
                ("--where activity=off --broker \(broker.url)", ["lamp-2"]),
            ] {
                let run = try await workplace.shell("\"$homeport\" history --json \(arguments)")
                #expect(run.status == 0)
                #expect(try run.lines.map { try object($0)["device"] as? String } == expected)
                #expect(run.errors.contains("no device") == expected.isEmpty)
            }
        }
    }

    @Test func everyVerbAcceptsTheCommonOptionsAndHelpNamesThoseThatItUses() throws {
        let words = [
            "--home", "h", "--controller", "c", "--database", "f", "--config", "f", "--broker",
            "mqtt://h", "--mqtt-version", "5", "--connect-timeout", "1s", "--ca-file", "f",
            "--cert-file", "f", "--key-file", "f", "--tls-server-name", "n",
            "--credentials-file", "f", "--json", "--verbose",
        ]
        for call in [
            ["devices"], ["show", "d"], ["watch"], ["send", "d", "c"], ["history"], ["channels"],
        ] {
            #expect(throws: Never.self) { try HomeportCommand.parseAsRoot(call + words) }
        }
        let help = ChannelsVerb.helpMessage()
        #expect(!help.contains("--database") && !help.contains("--controller"))
        #expect(help.contains("--broker") && help.contains("--home"))
        #expect(DevicesVerb.helpMessage().contains("--database"))
    }
}
