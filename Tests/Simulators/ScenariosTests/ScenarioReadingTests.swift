import DeviceDomain
import DeviceSimulation
import Fleet
import Testing
import YAMLText

@testable import Scenarios

/// Reading scenarios.
@Suite struct ScenarioReadingTests {
    /// A scenario that is right, with one of everything.
    static let whole = """
        name: evening
        seed: 7
        epoch: 2026-06-21T18:00:00Z
        duration: 1h30m
        speed: 60
        homes: 3
        regions: 2
        devices:
          vacuums:
            kind: sweeping-robot
            count: 2
            telemetry-interval: 10s
            reconnect: jitter:1s:60s
            access-point: hall
            feeder: elm-street
            buffer-offline: true
          batteries: {kind: energy-store, model: store-e5, count: 1, parameters: {age: [30, 60], firstCharge: 0.5}}
        stages:
          - {name: come, for: 10m, connect: {within: 5m}}
          - {name: churn, for: 20m, connect: {per-second: 0.5}, disconnect: {per-second: 0.5}}
        commands:
          - at: 15m
            every: 5m
            jitter: 30s
            until: 1h
            to: vacuums
            name: set-suction-level
            arguments: {level: max}
            lane: urgent
        faults:
          - {fault: offline, on: access-point:hall, share: 0.5, at: 20m, for: 2m}
          - {fault: slow, on: all, rate: 0.5, for: 1m, set: {delayMs: 500}}
        assertions:
          - {name: online, metric: online-share, from: 40m, to: 1h, min: 0.9}
          - {name: once, metric: executions-per-command, on: vacuums, max: 1}
        """

    private func problems(of text: String) -> [String] {
        do {
            _ = try Scenario(text, path: "x.yaml")
            return []
        } catch {
            return error.lines
        }
    }

    @Test func everyMemberIsRead() throws {
        let scenario = try Scenario(Self.whole, path: "x.yaml")
        #expect(scenario.name == "evening" && scenario.seed == 7 && scenario.homes == 3)
        #expect(scenario.duration == .seconds(5400) && scenario.speed == .times(60))
        #expect(scenario.epoch == Timestamp("2026-06-21T18:00:00Z") && scenario.regions == 2)
        let vacuums = try #require(scenario.groups.first)
        #expect(vacuums.kind == .sweepingRobot && vacuums.count == 2 && vacuums.model == nil)
        #expect(vacuums.group.telemetryInterval == .seconds(10))
        #expect(vacuums.group.reconnect == .jitter(first: .seconds(1), longest: .seconds(60)))
        #expect(vacuums.group.accessPoint == "hall" && vacuums.group.feeder == "elm-street")
        #expect(vacuums.group.buffersOffline)
        let batteries = scenario.groups[1]
        #expect(batteries.group.parameters == ["age": 30...60, "firstCharge": 0.5...0.5])
        #expect(scenario.stages.map(\.connect) == [.within(.seconds(300)), .perSecond(0.5)])
        let command = try #require(scenario.commands.first)
        #expect(command.arguments == ["level": "max"] && command.lane == .urgent)
        #expect(scenario.faults.map(\.time) == [.at(.seconds(1200)), .rate(0.5)])
        #expect(scenario.assertions[0].least == 0.9 && scenario.assertions[1].most == 1)
        #expect(scenario.text == Self.whole)
    }

    /// What is wrong in a text, each with its place.
    @Test(arguments: [
        ("duratoin: 1h", ":1:1: there is no member duratoin; did you mean duration?"),
        ("seed: -1", ":1:7: this must be a whole number from 0 to"),
        ("speed: fast", ":1:8: a speed is a number from 0.01 to 1000, or max"),
        ("epoch: noon", ":1:8: times are written like 2026-06-21"),
        ("duration: soon", ":1:11: times are written like 500ms"),
        ("homes: 200000", ":1:8: this must be a whole number from 1 to 100000"),
        ("devices: []", ":1:10: this must be a mapping"),
        ("devices: {x: {kind: sweping-robot, count: 1}}", "did you mean sweeping-robot?"),
        (
            "devices: {x: {kind: sweeping-robot}}",
            ":1:14: count is missing; write how many each home has"
        ),
        ("devices: {X: {kind: sweeping-robot, count: 1}}", ":1:11: X cannot name devices"),
        (
            "devices: {x: {kind: sweeping-robot, model: store-e5, count: 1}}",
            ":1:44: store-e5 is not one of the models of sweeping-robot"
        ),
        (
            "devices: {x: {kind: energy-store, count: 1, parameters: {agee: 40}}}",
            "has no number agee; did you mean age?"
        ),
        (
            "devices: {x: {kind: energy-store, count: 1, parameters: {age: 2000}}}",
            ":1:63: this must be a number from 30 to 1000"
        ),
        (
            "devices: {x: {kind: energy-store, count: 1, parameters: {chargePower: 2000}}}",
            "all devices of store-e5 have one chargePower"
        ),
        (
            "devices: {x: {kind: energy-store, count: 1, reconnect: now}}",
            ":1:56: write fixed:T, backoff:FIRST:CAP"
        ),
        ("stages: [{name: a, for: 1m, connect: {}}]", ":1:38: write one of per-second and within"),
        ("a: [", "this is not YAML"),
    ])
    func whatIsWrongIsNamedWithItsPlace(text: String, expected: String) {
        let found = problems(of: text)
        #expect(found.contains { $0.contains(expected) }, "\(found)")
    }

    @Test func numbersOfSweepingRobotsCanBeGiven() throws {
        let scenario = try Scenario(
            """
            duration: 1h
            devices: {old: {kind: sweeping-robot, count: 2, parameters: {worked: [100, 300], first-charge: 40}}}
            """, path: "x.yaml")
        #expect(
            scenario.groups.first?.group.parameters
                == ["worked": 100...300, "first-charge": 40...40])
        let found = problems(
            of:
                "duration: 1h\ndevices: {x: {kind: sweeping-robot, count: 1, parameters: {coverage: 1}}}"
        )
        #expect(
            found.first?.contains("all devices of sweeper-s1 have one coverage; these can be given")
                == true,
            "\(found)")
    }

    private static let frame = """
        duration: 1h
        devices: {vacuums: {kind: sweeping-robot, count: 2}, batteries: {kind: energy-store, count: 1}}

        """

    /// What is wrong in an item, in the third line.
    @Test(arguments: [
        (
            "commands: [{at: 2h, to: all, name: identify}]",
            ":3:17: 2h is after the end of the scenario"
        ),
        (
            "commands: [{at: 1m, to: vacums, name: locate}]",
            ":3:25: no device is meant by vacums; did you mean vacuums?"
        ),
        (
            "commands: [{at: 1m, to: vacuums, name: locat}]",
            "has no command locat; did you mean locate?"
        ),
        (
            "commands: [{at: 1m, to: vacuums, name: set-suction-level, arguments: {level: loud}}]",
            ":3:70: set-suction-level: level must be"
        ),
        ("commands: [{at: 1m, to: batteries, name: set-islanding}]", "needs the revision"),
        (
            "commands: [{at: 1m, until: 2m, to: all, name: identify}]",
            ":3:28: until is for a command with every"
        ),
        (
            "commands: [{at: 1m, every: 1s, jitter: 2s, to: all, name: identify}]",
            ":3:40: 2s is longer"
        ),
        ("faults: [{fault: stuck, on: all, at: 1m}]", "cannot have stuck"),
        ("faults: [{fault: stuk, on: all, at: 1m}]", "did you mean stuck?"),
        ("faults: [{fault: wifi-lost, on: all, at: 1m}]", "write offline where the device knows"),
        (
            "faults: [{fault: slow, on: all, at: 1m, share: 50%}]",
            ":3:48: a share is a part of 1: write 0.5 for 50%"
        ),
        ("faults: [{fault: reboot, on: all, at: 1m, for: 1m}]", ":3:48: reboot happens at once"),
        ("faults: [{fault: slow, on: all, at: 1m, set: {delay: 1}}]", "has no parameter \"delay\""),
        ("faults: [{fault: slow, on: all}]", ":3:10: write one of at and rate"),
        (
            "faults: [{fault: slow, on: all, at: 1m, share: 2}]",
            ":3:48: this must be a number from 0 to 1"
        ),
        (
            "assertions: [{name: a, metric: online, min: 1}]",
            ":3:32: online is not one of the metrics"
        ),
        ("assertions: [{name: a, metric: online-share}]", ":3:14: write min, max or both"),
        ("assertions: [{name: a, metric: online-share, min: 1, max: 0.5}]", "is above max"),
        (
            "assertions: [{name: a, metric: converged-share, from: 1m, min: 1}]",
            "is of one instant"
        ),
        (
            "assertions: [{name: a, metric: open-commands, max: 1}, {name: a, metric: open-commands, max: 1}]",
            "the assertion a is given twice"
        ),
        ("assertions: [{name: a, metric: invariant-violations, on: all, max: 0}]", "leave out on"),
    ])
    func whatIsWrongInAnItemIsNamedWithItsPlace(line: String, expected: String) {
        let found = problems(of: Self.frame + line)
        #expect(found.contains { $0.contains(expected) }, "\(found)")
    }

    @Test func everythingThatIsWrongIsToldAtOnceInOrder() {
        let found = problems(
            of: """
                duration: 1x
                homes: 0
                devices: {vacuums: {kind: sweeping-robot, count: 2}}
                commands: [{at: 1m, to: pools, name: locate}, {at: 1m, to: vacuums, name: x}]
                """)
        #expect(found.count == 4, "\(found)")
        #expect(found.map { $0.prefix(8) } == ["x.yaml:1", "x.yaml:2", "x.yaml:4", "x.yaml:4"])
    }

    /// What is aimed at devices is checked against those that could be read.
    @Test func itemsAreCheckedBesideAWrongGroup() {
        let found = problems(
            of: """
                duration: 1h
                devices:
                  vacuums: {kind: sweeping-robot, count: 2, parameters: {worked: -1}}
                  odd: {kind: toaster, count: 1, access-point: hall}
                  few: {kind: energy-store, count: none}
                commands:
                  - {at: 1m, to: vacuums, name: locat}
                  - {at: 1m, to: nobody, name: locate}
                  - {at: 1m, to: odd, name: toast}
                  - {at: 1m, to: pools, name: surface}
                  - {at: 1m, to: few-7, name: stop}
                  - {at: 1m, to: few, name: dance}
                  - {at: 2h, to: access-point:hall, name: toast}
                faults: [{fault: stuck, on: all, at: 1m}]
                """)
        let expected = [
            (3, "this must be a number from 0 to 1000"), (4, "toaster is not one of the kinds"),
            (5, "this must be a whole number"), (7, "has no command locat; did you mean locate?"),
            (8, "no device is meant by nobody"), (12, "has no command dance"),
            (13, "2h is after the end"), (14, "few-1 cannot have stuck"),
        ]
        #expect(found.count == expected.count, "\(found)")
        for (line, text) in expected {
            #expect(
                found.contains { $0.hasPrefix("x.yaml:\(line):") && $0.contains(text) },
                "\(line) \(text): \(found)")
        }
    }

    /// What a wrong name or number of homes may stand for is not called wrong as well.
    @Test(arguments: [
        "devices: {X: {kind: pool-robot, count: 1}}\ncommands: [{at: 1m, to: X-1, name: surface}]",
        "homes: 0\ndevices: {x: {kind: pool-robot, count: 1}}\ncommands: [{at: 1m, to: home-3, name: surface}]",
        "devices: {x: {kind: pool-robot, count: 1, feeder: Ä}}\ncommands: [{at: 1m, to: 'feeder:elm', name: surface}]",
        "devices: {x: {kind: pool-robot, model: pool-x, count: 1}}\ncommands: [{at: 1m, to: x, name: swim}]",
        "devices: {x: 7}\ncommands: [{at: 1m, to: x-9, name: surface}]",
    ])
    func oneMistakeIsOneLine(text: String) {
        let found = problems(of: "duration: 1h\n" + text)
        #expect(found.count == 1, "\(found)")
    }

    @Test func metricsOfABrokerAreRefusedWithoutOne() {
        let found = problems(
            of: Self.frame + "speed: max\nassertions: [{name: a, metric: online-share, min: 1}]")
        #expect(found.count == 1 && found[0].contains(":4:32: online-share needs a broker"))
    }

    /// What acts on the connection does nothing where there is none: a run would pass without having been tried.
    @Test(arguments: [
        "blackhole", "reset", "half-open", "latency", "loss", "slow-link", "takeover",
    ])
    func faultsOfTheConnectionAreRefusedWithoutABroker(fault: String) throws {
        let text =
            Self.frame
            + "faults: [{fault: offline, on: all, at: 1m}, {fault: \(fault), on: all, at: 1m}]"
        _ = try Scenario(text, path: "x.yaml")
        _ = try Scenario(text + "\nspeed: max", path: "x.yaml", at: .times(2))
        let assertion =
            Self.frame + "speed: max\nassertions: [{name: a, metric: online-share, min: 1}]"
        _ = try Scenario(assertion, path: "x.yaml", at: .times(2))
        for (text, speed) in [(text + "\nspeed: max", nil), (text, WorldSpeed.max)] {
            let error = #expect(throws: ScenarioProblems.self) {
                try Scenario(text, path: "x.yaml", at: speed)
            }
            #expect(error?.lines.count == 1, "\(error?.lines ?? [])")
            #expect(
                error?.lines.first?.hasPrefix(
                    "x.yaml:3:53: \(fault) acts on the connection to a broker") == true,
                "\(error?.lines ?? [])")
        }
    }

    @Test(arguments: [
        ("500ms", 500), ("30s", 30_000), ("1h30m", 5_400_000), ("0s", 0), ("1h2m3s4ms", 3_723_004),
    ])
    func timesAreRead(text: String, milliseconds: Int) {
        #expect(Duration(written: text) == .milliseconds(milliseconds))
        #expect(
            Duration(written: Duration.milliseconds(milliseconds).written)
                == .milliseconds(milliseconds))
    }

    @Test(arguments: ["", "1", "h", "1m1h", "1h1h", "-1s", "1.5h", "99999999999999h", "1 h", "١s"])
    func whatIsNoTimeIsRefused(text: String) {
        #expect(Duration(written: text) == nil)
    }
}
