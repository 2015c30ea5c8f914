import Glibc
import TestSupport
import Testing

/// The command lines of `homeport-sim inject` and `status`.
@Suite(.timeLimit(.minutes(2))) struct InjectUsageTests {
    @Test func statusAndAnswerTellTheFaultsOfEveryDevice() async throws {
        try await FaultHouse.with { house in
            let answer = try await house.sim(
                "inject", "sweeper-2", "slow", "--for", "1h", "--set", "delayMs=20", "--json")
            #expect(answer.status == 0 && answer.lines.count == 1, "\(answer)")
            for part in [
                #""device":"home-1/sweeper-2""#, #""kind":"sweeping-robot""#,
                #""presence":"online""#, #""fault":"slow""#, #""settings":{"delayMs":20}"#,
                #""until":"#, #""pid":\#(house.process)"#,
            ] {
                #expect(answer.output.contains(part), "\(part): \(answer)")
            }
            let status = try await house.sim("status", "--json")
            #expect(status.lines.count == 3)
            #expect(status.lines.filter { $0.contains(#""faults":[]"#) }.count == 2)
            let table = try await house.sim("status")
            #expect(
                table.lines.first
                    == "home-1/sweeper-1  sweeping-robot  online  docked")
            #expect(table.lines[1].contains("slow delayMs=20 until 2"), "\(table)")
        }
    }

    @Test func whatCannotBeIsNamedWithTheRemedyAndReachesNoDevice() async throws {
        try await FaultHouse.with { house in
            let wrong: [(words: [String], remedy: String)] = [
                (["sweper-1", "stuck"], "did you mean sweeper-1?"),
                (["sweeper-1", "stuk"], "did you mean stuck?"),
                (["all", "stuck"], "home-1/store-1 cannot have stuck"),
                (["sweeper-1", "slow", "--set", "delayMs=0"], "delayMs=1…600000 ms"),
                (["sweeper-1", "slow", "--set", "delay=5"], "it takes delayMs"),
                (["sweeper-1", "slow", "--set", "delayMs"], "write key=value"),
                (["sweeper-1", "slow", "--for", "5"], "times are written like"),
                (["sweeper-1", "reboot", "--for", "5s"], "leave out --for"),
                (["sweeper-1", "clear", "--for", "5s"], "clear takes no --for"),
                (["sweeper-1", "clear", "--set", "percent=5"], "--set fault=NAME"),
                (["sweeper-1", "clear", "--set", "fault=stuk"], "did you mean stuck?"),
                (["store-1", "clear", "--set", "fault=stuck"], "cannot have stuck"),
                (["all", "mute", "--share", "0"], "write 0.5 for half"),
                (["all", "mute", "--share", "half"], "write 0.5 for half"),
                (["all", "mute", "--share", "-0.5"], "write 0.5 for half"),
                (["feeder:north", "offline"], "a scenario names them"),
                (["home-1/pools", "stuck"], "home-1 has no pools"),
                (["sweeper-1"], "Missing expected argument"),
                (["sweeper-1", "stuck", "--pid", "x"], "the number of a process"),
                (["sweeper-1", "stuck", "--pid", "-1"], "the number of a process"),
            ]
            for (words, remedy) in wrong {
                let run = try await FaultHouse.sim(["inject"] + words, in: house.workplace)
                #expect(run.status == 64 && run.output.isEmpty, "\(words): \(run)")
                #expect(run.errors.contains(remedy), "\(words): \(run)")
            }
            let status = try await house.sim("status", "--json")
            #expect(status.lines.count == 3, "\(status)")
            #expect(status.lines.allSatisfy { $0.contains(#""faults":[]"#) }, "\(status)")
        }
    }

    @Test(arguments: [["status"], ["inject", "all", "mute"], ["inject", "all", "clear"]])
    func withoutAFleetItIsStatusTwo(words: [String]) async throws {
        let run = try await FaultHouse.sim(words, in: try Workplace())
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errors.contains("start one with homeport-sim run"))
    }

    @Test func ofSeveralFleetsOneIsChosen() async throws {
        try await FaultHouse.with { house in
            let options = ["--home", "attic", "--pools", "1"]
            try await SimulatorProcess.run(options, meetingIn: house.workplace.folder) { other in
                try await other.line(beginning: "ready")
                let unclear = try await house.sim("inject", "all", "mute")
                #expect(unclear.status == 64)
                #expect(unclear.errors.contains("choose one with --pid"), "\(unclear)")
                #expect(unclear.errors.contains("\(other.processID)"))
                try await house.inject("pool-1", "stuck", "--pid", "\(other.processID)")
                let none = try await house.sim("status", "--pid", "1")
                #expect(none.status == 2 && none.errors.contains("\(house.process)"), "\(none)")
                let status = try await house.sim("status", "--json")
                #expect(status.lines.count == 4)
                let both = try await house.sim("status")
                #expect(both.output.contains("fleet of process \(other.processID):"))
            }
        }
    }

    @Test func aTargetIsFoundInTheOnlyFleetThatHasIt() async throws {
        try await FaultHouse.with { house in
            let options = ["--homes", "2", "--pools", "1"]
            try await SimulatorProcess.run(options, meetingIn: house.workplace.folder) { other in
                try await other.line(beginning: "ready")
                for target in ["pools", "home-2", "home-1/pool-1"] {
                    let hit = try await house.sim("inject", target, "stuck", "--json")
                    #expect(hit.status == 0, "\(target): \(hit)")
                    #expect(hit.output.contains(#""pid":\#(other.processID)"#), "\(hit)")
                }
                try await house.inject("store-1", "grid-outage")
                let wrong = [
                    ("pool-1", "write the home too, such as home-1/pool-1"),
                    ("home-1", "choose one with --pid"),
                    ("home-1/all", "choose one with --pid"),
                    ("sweper-1", "no running fleet has"), ("sweper-1", "did you mean sweeper-1?"),
                    ("lake/pools", "no running fleet has"),
                ]
                for (target, remedy) in wrong {
                    let run = try await house.sim("inject", target, "mute")
                    #expect(run.status == 64 && run.output.isEmpty, "\(target): \(run)")
                    #expect(run.errors.contains(remedy), "\(target): \(run)")
                }
            }
        }
    }

    @Test func aFleetThatDoesNotAnswerIsNamedWhereAnotherHasTheTarget() async throws {
        try await FaultHouse.with { house in
            let options = ["--home", "attic", "--pools", "1"]
            try await SimulatorProcess.run(options, meetingIn: house.workplace.folder) { other in
                try await other.line(beginning: "ready")
                // A fleet that is stopped answers nobody.
                kill(other.processID, SIGSTOP)
                defer { kill(other.processID, SIGCONT) }
                let hit = try await house.sim("inject", "sweeper-1", "stuck", "--json")
                #expect(hit.status == 0, "\(hit)")
                #expect(hit.output.contains(#""pid":\#(house.process)"#), "\(hit)")
                #expect(hit.errors.contains("control-\(other.processID).sock does not answer"))
            }
        }
    }

    /// The socket is the user's own, and gone with the fleet.
    @Test func theSocketIsClosedToOthersAndRemovedAtTheEnd() async throws {
        let workplace = try Workplace()
        var path = ""
        try await SimulatorProcess.run(["--sweepers", "1"], meetingIn: workplace.folder) { fleet in
            try await fleet.line(beginning: "ready")
            path = "\(workplace.folder.path)/homeport/control-\(fleet.processID).sock"
            var status = stat()
            #expect(stat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }
        #expect(access(path, F_OK) != 0)
    }

    @Test func theHelpNamesEveryFault() async throws {
        let run = try await FaultHouse.sim(["inject", "--help"], in: try Workplace())
        let names = [
            "offline", "mute", "slow", "reboot", "stuck", "grid-outage", "clear", "duplicate-acks",
            "late-acks", "drop-acks", "reorder", "replay", "truncate", "wrong-payload",
            "frozen-state", "unknown-error", "clock-offset", "clock-drift", "clock-step",
            "reboot-loop", "battery-dead", "sensor-stuck", "sensor-noise", "sensor-drift",
        ]
        for fault in names {
            #expect(run.output.contains("  \(fault)"), "\(run.output)")
        }
        #expect(run.output.contains("access-point:NAME") && run.output.contains("--share"))
    }
}
