import Homeport
import TerminalOutput
import Testing

@testable import HomeportCLI

/// `history` on terminals of several widths, and in a pipe.
@Suite struct CommandScreensTests {
    private func records() throws -> [CommandRecord] {
        let home = try SampleHome()
        let entries: JSONValue = [
            ["weekday": 1, "at": "09:30", "program": "floor"],
            ["weekday": 5, "at": "10:30", "program": "full"],
        ]
        return [
            try home.record(4, "set-suction-level", .succeeded, arguments: ["level": "max"]),
            try home.record(
                3, "set-schedule", to: "pool-1", .sent, arguments: ["entries": entries]),
            try home.record(
                2, "pause", .rejected, code: .wrongState, message: "nothing to pause\u{1B}[2J"),
            try home.record(1, "locate", .unknown),
        ]
    }

    private func screen(_ layout: Layout) throws -> String {
        let renderer = HistoryRenderer(
            style: ListStyle(.table), layout: layout,
            now: try SampleHome().noon.advanced(by: .seconds(200)), time: SampleHome.time)
        return renderer.listing(of: try records()).lines(renderer.style, in: layout)
            .joined(separator: "\n")
    }

    @Test(arguments: [
        (
            60,
            #"""
            CREATED    DEVICE     COMMAND            STATE       TOOK
            3 min ago  sweeper-1  set-suction-level  succeeded  56 ms
                level=max  018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e14
            3 min ago  pool-1     set-schedule       sent           –
                entries=[{"at":"09:30","program":"floor","weekday":1},
                {"at":"10:30","program":"full","weekday":5}]
                018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e13
            3 min ago  sweeper-1  pause              rejected   56 ms
                WRONG_STATE: nothing to pause\u001b[2J
                018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e12
            3 min ago  sweeper-1  locate             unknown        –
                018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11
            """#
        ),
        (
            80,
            #"""
            CREATED    DEVICE     COMMAND            STATE       TOOK  SENDS
            3 min ago  sweeper-1  set-suction-level  succeeded  56 ms      1
                level=max  018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e14
            3 min ago  pool-1     set-schedule       sent           –      1
                entries=[{"at":"09:30","program":"floor","weekday":1},{"at":"10:30",
                "program":"full","weekday":5}]  018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e13
            3 min ago  sweeper-1  pause              rejected   56 ms      1
                WRONG_STATE: nothing to pause\u001b[2J  018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e12
            3 min ago  sweeper-1  locate             unknown        –      1
                018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11
            """#
        ),
        (
            100,
            #"""
            CREATED    DEVICE     COMMAND            STATE       TOOK  SENDS  ARGUMENTS
            3 min ago  sweeper-1  set-suction-level  succeeded  56 ms      1  level=max
                018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e14
            3 min ago  pool-1     set-schedule       sent           –      1  entries=[{"at":"09:30",
                                                                              "program":"floor","weekday":1},
                                                                              {"at":"10:30","program":"full",
                                                                              "weekday":5}]
                018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e13
            3 min ago  sweeper-1  pause              rejected   56 ms      1  –
                WRONG_STATE: nothing to pause\u001b[2J  018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e12
            3 min ago  sweeper-1  locate             unknown        –      1  –
                018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11
            """#
        ),
        (
            160,
            #"""
            CREATED    DEVICE     COMMAND            STATE       TOOK  SENDS  ARGUMENTS                    MESSAGE                      ID
            3 min ago  sweeper-1  set-suction-level  succeeded  56 ms      1  level=max                    –                            018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e14
            3 min ago  pool-1     set-schedule       sent           –      1  entries=[{"at":"09:30",      –                            018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e13
                                                                              "program":"floor",
                                                                              "weekday":1},{"at":"10:30",
                                                                              "program":"full",
                                                                              "weekday":5}]
            3 min ago  sweeper-1  pause              rejected   56 ms      1  –                            WRONG_STATE: nothing to      018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e12
                                                                                                           pause\u001b[2J
            3 min ago  sweeper-1  locate             unknown        –      1  –                            –                            018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11
            """#
        ),
    ])
    func commandsFitTheTerminalWithTheirMessagesAndIDs(width: Int, expected: String) throws {
        let screen = try screen(.terminal(width))
        #expect(screen == expected)
        for line in screen.split(separator: "\n") { #expect(line.columns <= width) }
    }

    @Test func inAPipeEveryCommandIsOneLineWithItsIDLast() throws {
        let lines = try screen(.plain).split(separator: "\n")
        #expect(lines.count == 5)
        for (line, number) in zip(lines.dropFirst(), [4, 3, 2, 1]) {
            #expect(line.hasSuffix("  \(try SampleHome.command(number))"))
        }
    }

    @Test(arguments: [
        (CommandState.succeeded, "32"), (.failed, "31"), (.rejected, "31"), (.refused, "31"),
        (.unknown, "35"), (.expired, "35"),
    ])
    func theOutcomeHasAColour(state: CommandState, code: String) throws {
        let renderer = CommandRenderer(format: .human, layout: Layout(usesColour: true))
        let line = renderer.lines(for: try SampleHome().record(1, "locate", state)).joined()
        #expect(line.contains("\u{1B}[\(code)m\(state.rawValue)\u{1B}[0m"))
    }
}
