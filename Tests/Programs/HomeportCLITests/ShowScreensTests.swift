import Homeport
import TerminalOutput
import Testing

@testable import HomeportCLI

/// `show` and `watch` on terminals, and in a pipe.
@Suite struct ShowScreensTests {
    private func store() throws -> SampleHome {
        var home = try SampleHome()
        let modes: [JSONValue] = ["self-consumption", "backup", "time-of-use", "idle"]
        let schema = ArgumentSchema(
            type: .object, required: ["mode"], properties: ["mode": ArgumentSchema(allowed: modes)])
        try home.add(
            "store-1", "energy-store", "store-e10", "储能 \u{202E}x", state: ["mode": "backup"],
            commands: [
                CommandSpecification(
                    name: CommandName(rawValue: "set-mode"), arguments: schema, sort: .setting)
            ])
        return home
    }

    private func screen(
        _ home: SampleHome, _ layout: Layout, _ telemetry: ShowRenderer.Telemetry = .asKnown
    ) throws -> String {
        let renderer = ShowRenderer(
            format: .human, layout: layout, telemetry: telemetry, time: SampleHome.time)
        return renderer.lines(for: try #require(home.devices.first)).joined(separator: "\n")
    }

    @Test func aDeviceFitsANarrowTerminal() throws {
        let expected = #"""
            store-1 – 储能 \u202ex
              home      home-1
              channel   mqtt
              kind      energy-store
              model     store-e10
              firmware  1.0
              presence  online since 2025-11-24 16:00:00, boot b1

            State (revision 3)
              mode  backup

            Telemetry
              no sample yet (one every few seconds)

            Commands
              COMMAND   SORT     ARGUMENTS
              set-mode  setting  mode=self-consumption|backup|
                                 time-of-use|idle
            """#
        #expect(try screen(store(), .terminal(60)) == expected)
    }

    @Test func aDeviceInAPipe() throws {
        #expect(
            try screen(store(), .plain) == #"""
                store-1 – 储能 \u202ex
                  home      home-1
                  channel   mqtt
                  kind      energy-store
                  model     store-e10
                  firmware  1.0
                  presence  online since 2025-11-24 16:00:00, boot b1

                State (revision 3)
                  mode  backup

                Telemetry
                  no sample yet (one every few seconds)

                Commands
                  COMMAND   SORT     ARGUMENTS
                  set-mode  setting  mode=self-consumption|backup|time-of-use|idle
                """#)
    }

    @Test func aValueOfAnyLengthTakesAFewLines() throws {
        var home = try SampleHome()
        try home.add(
            "d-1", "k", "m", "D", state: ["note": .string(String(repeating: "x", count: 50_000))])
        let lines = try screen(home, .terminal(80)).split(separator: "\n")
        #expect(lines.count { $0.contains("xxx") } == 8)
        for line in lines { #expect(line.columns <= 80) }
    }

    @Test func whatThereIsToSayOfTelemetry() throws {
        let home = try store()
        #expect(
            try screen(home, .plain).contains("Telemetry\n  no sample yet (one every few seconds)"))
        #expect(try !screen(home, .plain, .none).contains("Telemetry"))
        let awaited = try screen(home, .plain, .awaited(.seconds(2)))
        #expect(awaited.contains("Telemetry\n  no sample came within 2s"))
        var offline = try SampleHome()
        try offline.add("d-1", "k", "m", "D", online: false)
        #expect(try screen(offline, .plain).contains("no sample: the device is offline"))
        var sampled = home
        try sampled.hear("store-1", .telemetry(TelemetryReport(["pvPowerW": 7])))
        #expect(
            try screen(sampled, .plain, .awaited(.seconds(2))).contains("Telemetry\n  pvPowerW  7"))
    }

    @Test func thePresenceOfTheLastWhileIsListed() throws {
        var home = try store()
        #expect(try !screen(home, .plain).contains("\nPresence\n"))
        let boot = try BootID("b1")
        try home.hear("store-1", .presence(Presence(.offline, boot: boot)))
        #expect(
            try screen(home, .plain).contains(
                "Presence\n  2025-11-24 16:00:00  online\n  2025-11-24 16:00:00  offline\n"))
    }

    @Test(arguments: [
        (
            40,
            """
            16:00:00  sweeper-1   state
                revision 7: activity=cleaning
                note=\\u202e扫地机
            """
        ),
        (
            60,
            """
            16:00:00  sweeper-1   state      revision 7:
                                             activity=cleaning
                                             note=\\u202e扫地机
            """
        ),
        (
            80,
            """
            16:00:00.123  sweeper-1       state      revision 7: activity=cleaning
                                                     note=\\u202e扫地机
            """
        ),
        (
            100,
            "16:00:00.123  sweeper-1       state      revision 7: activity=cleaning note=\\u202e扫地机"
        ),
    ])
    func watchShowsWholeValuesInRowsThatFit(width: Int, expected: String) throws {
        let home = try SampleHome()
        let report = StateReport(
            ["activity": "cleaning", "note": "\u{202E}扫地机"], revision: 7)
        let renderer = WatchRenderer(format: .human, layout: .terminal(width)) { "16:00:00.123" }
        #expect(renderer.line(for: try home.change("sweeper-1", .state(report))) == expected)
    }

    @Test func acknowledgementsNameTheirCommand() throws {
        let home = try SampleHome()
        let id = try SampleHome.command(1)
        let ack = CommandEvidence(
            id: id, device: try DeviceID("sweeper-1"), source: .device, stage: .rejected,
            code: .wrongState, message: "nothing to pause")
        let change = try home.change("sweeper-1", .evidence(ack))
        let name = CommandName(rawValue: "pause")
        let human = WatchRenderer(format: .human) { "16:00" }
        #expect(
            human.line(for: change, command: name)
                == "16:00  sweeper-1       ack        pause rejected WRONG_STATE: nothing to pause (id \(id))"
        )
        #expect(
            human.line(for: change)
                == "16:00  sweeper-1       ack        \(id) rejected WRONG_STATE: nothing to pause")
        let json = WatchRenderer(format: .json)
        #expect(
            json.line(for: change, command: name)?.hasPrefix(
                #"{"type":"ack","device":"sweeper-1","id":"\#(id)","name":"pause","stage":"rejected""#
            ) == true)
        #expect(json.line(for: change)?.contains(#""name""#) == false)
        let coloured = WatchRenderer(format: .human, layout: Layout(width: 100, usesColour: true))
        #expect(
            coloured.line(for: change, command: name)?.contains("pause \u{1B}[31mrejected\u{1B}[0m")
                == true)
    }
}
