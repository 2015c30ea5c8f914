import Homeport
import TerminalOutput
import Testing

@testable import HomeportCLI

/// `devices` on terminals of several widths, and in a pipe, with ordinary and hostile names.
@Suite struct DeviceScreensTests {
    private func screen(_ home: SampleHome, _ layout: Layout) -> String {
        DevicesRenderer(style: ListStyle(.table), layout: layout).lines(for: home.devices)
            .joined(separator: "\n")
    }

    @Test(arguments: [
        (
            60,
            #"""
            DEVICE      KIND            PRESENCE  ACTIVITY        CHARGE
            pool-1      pool-robot      online    idle                 –
            store-1     energy-store    online    self-consumpt…    54 %
            sweeper-1   sweeping-robot  online    cleaning          81 %
            sweeper-10  sweeping-robot  offline   –                    –
            """#
        ),
        (
            80,
            #"""
            DEVICE      NAME            KIND            PRESENCE  ACTIVITY          CHARGE
            pool-1      Pool robot 1    pool-robot      online    idle                   –
            store-1     Energy store 1  energy-store    online    self-consumption    54 %
            sweeper-1   Sweeper 1       sweeping-robot  online    cleaning            81 %
            sweeper-10  Sweeper 10      sweeping-robot  offline   –                      –
            """#
        ),
        (
            100,
            #"""
            DEVICE      NAME            KIND            MODEL        PRESENCE  ACTIVITY          CHARGE
            pool-1      Pool robot 1    pool-robot      pool-p1      online    idle                   –
            store-1     Energy store 1  energy-store    store-e10    online    self-consumption    54 %
            sweeper-1   Sweeper 1       sweeping-robot  sweeper-pro  online    cleaning            81 %
            sweeper-10  Sweeper 10      sweeping-robot  sweeper-s1   offline   –                      –
            """#
        ),
        (
            160,
            #"""
            DEVICE      NAME            KIND            MODEL        PRESENCE  ACTIVITY          CHARGE
            pool-1      Pool robot 1    pool-robot      pool-p1      online    idle                   –
            store-1     Energy store 1  energy-store    store-e10    online    self-consumption    54 %
            sweeper-1   Sweeper 1       sweeping-robot  sweeper-pro  online    cleaning            81 %
            sweeper-10  Sweeper 10      sweeping-robot  sweeper-s1   offline   –                      –
            """#
        ),
    ])
    func devicesFitTheTerminal(width: Int, expected: String) throws {
        #expect(screen(try .ordinary(), .terminal(width)) == expected)
    }

    @Test(arguments: [
        (0, "heard 0 min ago"), (59, "heard 59 min ago"), (60, "heard 1 h ago"),
        (47 * 60 + 59, "heard 47 h ago"), (48 * 60, "heard 2 days ago"), (-5, "heard 0 min ago"),
    ])
    func aDeviceOfAnEarlierRunSaysWhenItWasHeard(minutes: Int, words: String) throws {
        var home = try SampleHome()
        try home.remember("lamp-1", heardAt: home.noon)
        let now = home.noon.advanced(by: .seconds(minutes * 60))
        let table = DevicesRenderer(style: ListStyle(.table), now: now).lines(for: home.devices)
        #expect(table.last?.contains("unknown, \(words)") == true, "\(table)")
        let json = DevicesRenderer(style: ListStyle(.json), now: now).lines(for: home.devices)
        #expect(json.first?.contains("\"lastHeardAt\":\(home.noon.milliseconds)") == true)
        try home.hear("lamp-1", .presence(Presence(.online, boot: BootID("b1"), at: home.noon)))
        let heard = DevicesRenderer(style: ListStyle(.json), now: now).lines(for: home.devices)
        #expect(heard.first?.contains("lastHeardAt") == false)
    }

    @Test func aDeviceWhoseLastMessageIsNotDatedIsUnknown() throws {
        var home = try SampleHome()
        try home.remember("lamp-1", heardAt: nil)
        #expect(screen(home, .plain).contains("lamp-l1  unknown   –"))
    }

    @Test(arguments: [
        (
            60,
            #"""
            DEVICE   NAME         KIND        PRESENCE  ACTIVITY  CHARGE
            bidi     \u202eevil…  lamp        online    –              –
            cjk      客厅的扫地…  扫地机器人  online    清扫           –
            control  \u001b[2J\…  lamp        online    –              –
            emoji    👩‍👩‍👧 🇩🇪 ❤️ é   lamp        online    –              –
            huge     long long …  lamp        online    –              –
            """#
        ),
        (
            80,
            #"""
            DEVICE   NAME                      KIND        MODEL  PRESENCE  ACTIVITY  CHARGE
            bidi     \u202eevil\u2066\u200f\…  lamp        m      online    –              –
            cjk      客厅的扫地机器人一号      扫地机器人  m      online    清扫           –
            control  \u001b[2J\u009b1m\u000a   lamp        m      online    –              –
            emoji    👩‍👩‍👧 🇩🇪 ❤️ é                lamp        m      online    –              –
            huge     long long long long lon…  lamp        m      online    –              –
            """#
        ),
        (
            100,
            #"""
            DEVICE   NAME                                          KIND        MODEL  PRESENCE  ACTIVITY  CHARGE
            bidi     \u202eevil\u2066\u200f\u061c                  lamp        m      online    –              –
            cjk      客厅的扫地机器人一号                          扫地机器人  m      online    清扫           –
            control  \u001b[2J\u009b1m\u000a                       lamp        m      online    –              –
            emoji    👩‍👩‍👧 🇩🇪 ❤️ é                                    lamp        m      online    –              –
            huge     long long long long long long long long lon…  lamp        m      online    –              –
            """#
        ),
        (
            160,
            #"""
            DEVICE   NAME                                                                                                      KIND        MODEL  PRESENCE  ACTIVITY  CHARGE
            bidi     \u202eevil\u2066\u200f\u061c                                                                              lamp        m      online    –              –
            cjk      客厅的扫地机器人一号                                                                                      扫地机器人  m      online    清扫           –
            control  \u001b[2J\u009b1m\u000a                                                                                   lamp        m      online    –              –
            emoji    👩‍👩‍👧 🇩🇪 ❤️ é                                                                                                lamp        m      online    –              –
            huge     long long long long long long long long long long long long long long long long long long long long lon…  lamp        m      online    –              –
            """#
        ),
    ])
    func hostileNamesStayInTheirColumn(width: Int, expected: String) throws {
        let screen = screen(try .hostile(), .terminal(width))
        #expect(screen == expected)
        for line in screen.split(separator: "\n") { #expect(line.columns <= width) }
    }

    @Test func inAPipeNothingIsCutOrColoured() throws {
        let lines = DevicesRenderer(style: ListStyle(.table)).lines(
            for: try SampleHome.hostile().devices)
        #expect(lines.joined().unicodeScalars.allSatisfy { !$0.isUnprintable })
        let long = String(repeating: "long ", count: 10_000)
        #expect(lines.last == "huge     \(long)  lamp        m      online    –              –")
        #expect(lines[2].hasPrefix("cjk      客厅的扫地机器人一号  "))
    }

    @Test func coloursSayWhatIsWrong() throws {
        let screen = screen(try .ordinary(), Layout(width: 80, usesColour: true))
        #expect(screen.contains("\u{1B}[32monline\u{1B}[0m"))
        #expect(screen.contains("\u{1B}[31moffline\u{1B}[0m"))
        let codes = Set(screen.matches(of: /\u{1B}\[([0-9;]*)m/).map { String($0.1) })
        #expect(codes == ["0", "1", "31", "32"])
        let plain = screen.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        #expect(plain == self.screen(try .ordinary(), .terminal(80)))
    }

    @Test(
        arguments: [
            ("batteryPercent", 81, "81 %"), ("stateOfChargePercent", 54.2, "54 %"),
            ("batteryPercent", 100, "100 %"), ("batteryPercent", 101, nil), ("voltage", 3, nil),
        ] as [(String, Double, String?)])
    func aChargeIsShownWhateverTheKind(member: String, value: Double, charge: String?) throws {
        for isTelemetry in [true, false] {
            var home = try SampleHome()
            let members: JSONObject = [member: .number(value)]
            try home.add(
                "d-1", "lawn-mower", "m", "D", state: isTelemetry ? nil : members,
                telemetry: isTelemetry ? members : nil)
            #expect(home.devices.first?.charge == charge)
        }
    }

    @Test func aChargeIsOwedByDevicesThatSayTheyHaveOne() throws {
        var home = try SampleHome()
        try home.add("d-1", "k", "m", "D", capabilities: [.batteryPowered])
        try home.add("d-2", "k", "m", "D", capabilities: [.energyStorage])
        try home.add("d-3", "k", "m", "D", capabilities: [.movable])
        try home.add(
            "d-4", "k", "m", "D", state: ["batteryPercent": 3], capabilities: [.batteryPowered])
        #expect(home.devices.map(\.owesCharge) == [true, true, false, false])
    }
}
