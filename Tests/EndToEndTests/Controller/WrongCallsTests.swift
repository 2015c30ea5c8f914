import TestSupport
import Testing

/// The calls of somebody who is new to `homeport`, each wrong in its own way, beside a running
/// fleet: each is told its cause and a remedy on one line, and none ends with status 0.
@Suite(.timeLimit(.minutes(2))) struct WrongCallsTests {
    private struct Call {
        let words: String
        let status: Int32
        let cause: String
        let remedy: String

        init(_ words: String, _ status: Int32, _ cause: String, _ remedy: String) {
            self.words = words
            self.status = status
            self.cause = cause
            self.remedy = remedy
        }
    }

    private static let calls = [
        // The command line.
        Call("devcies", 64, "there is no verb 'devcies'", "did you mean devices?"),
        Call("lamp-on", 64, "there is no verb 'lamp-on'", "the verbs are devices, show"),
        Call("--json devices", 64, "options follow the verb", "homeport devices … --json"),
        Call("devices --jsn", 64, "Unknown option '--jsn'", "Did you mean '--json'?"),
        Call("identity list --nonsense", 64, "Unknown option '--nonsense'", "identity list"),
        Call("devices --home Home-1", 64, "\"Home-1\" is not valid", "use 1 to 63 lowercase"),
        Call("devices --connect-timeout 10", 64, "'10' is invalid", "500ms, 30s, 10m or 24h"),
        Call("show", 64, "Missing expected argument '<device>'", "see 'homeport show --help'"),
        Call("send sweeper-1", 64, "Missing expected argument '<command>'", "'homeport show"),
        Call("send sweeper-1 locate now", 64, "'now' is invalid", "write key=value, as in"),
        Call("send store-1 set-reserve percent=1 percent=2", 64, "percent is given twice", "once"),
        Call("send sweeper-1 locate --wait done", 64, "'done' is invalid", "accepted, final"),
        Call("send sweeper-1 locate --expires 25h", 64, "--expires", "from 1ms to 24h"),
        Call("send sweeper-1 locate --expires 0s", 64, "--expires", "a duration above zero"),
        Call("send sweeper-1 locate --expires=-1s", 64, "--expires", "500ms, 30s, 10m or 24h"),
        Call("send sweeper-1 locate --expires 1.5s", 64, "--expires", "500ms, 30s, 10m or 24h"),
        Call("devices --credentials-file /none", 64, "/none cannot be read", "check the path"),
        // Devices and commands.
        Call("show sweper-1", 65, "no device sweper-1", "did you mean sweeper-1?"),
        Call("show 'pool 1'", 65, "no device \"pool 1\" is known", "did you mean pool-1?"),
        Call("send --all locate sweeper-1", 64, "'sweeper-1' is invalid", "leave DEVICE out"),
        Call("show mower-1", 65, "no device mower-1", "'homeport devices' lists"),
        Call("send pool-2 locate", 65, "no device pool-2", "did you mean pool-1?"),
        Call("show sweeper-1 --home villa", 65, "no device sweeper-1 is known in villa", "devices"),
        Call("history --device sweper-1", 65, "no device sweper-1", "did you mean sweeper-1?"),
        Call("send sweeper-1 start-cleanin", 65, "no command", "did you mean start-cleaning?"),
        Call("send pool-1 set-reserve percent=1", 65, "no command", "its commands are "),
        // Arguments.
        Call("send sweeper-1 set-suction-level", 65, "level is missing", "such as level=quiet"),
        Call("send sweeper-1 set-suction-level levle=max", 65, "levle is unknown", "mean level?"),
        Call("send sweeper-1 set-suction-level level=trubo", 65, "one of quiet", "mean turbo?"),
        Call("send sweeper-1 start-cleaning rooms=1", 65, "must be a list", "as 'rooms=[1,2]'"),
        Call("send sweeper-1 start-cleaning rooms=[1", 65, "must be a list", "as 'rooms=[1,2]'"),
        Call("send store-1 set-reserve percent=half", 65, "a whole number", "as percent=50"),
        Call("send store-1 set-reserve percent=101", 65, "at most 100", "not 101"),
        Call("send store-1 set-islanding enabled=yes", 65, "true or false", "enabled=true"),
        Call(
            "send sweeper-1 locate loudly=true", 65, "loudly is unknown", "no arguments are taken"),
        // Files and brokers.
        Call("devices --config /none.yaml", 65, "/none.yaml cannot be read", "No such file"),
        Call("devices --broker mqtt://127.0.0.1:1", 5, "refused", "check that a broker listens"),
        Call("history --database /dev/null/x", 70, "cannot be made", "choose another file"),
    ]

    @Test func everyMistakeIsToldWithCauseAndRemedy() async throws {
        let workplace = try Workplace()
        try await withBroker { broker in
            let fleet = [
                "--broker", broker.url, "--sweepers", "1", "--pools", "1", "--stores", "1",
            ]
            try await SimulatorProcess.run(fleet) { simulator in
                try await simulator.line(beginning: "ready 3 devices")
                let environment = ["HOMEPORT_BROKER": broker.url]
                let known = try await workplace.homeport("devices", environment: environment)
                #expect(known.lines.count == 4)
                for call in Self.calls {
                    let run = try await workplace.shell(
                        "exec \"$homeport\" \(call.words)", environment: environment)
                    #expect(run.status == call.status, "\(call.words): \(run.errors)")
                    #expect(run.output.isEmpty, "\(call.words)")
                    #expect(run.remarks.count == 1, "\(call.words): \(run.errors)")
                    #expect(run.errors.contains(call.cause), "\(call.words): \(run.errors)")
                    #expect(run.errors.contains(call.remedy), "\(call.words): \(run.errors)")
                }
                let history = try await workplace.homeport("history", environment: environment)
                #expect(history.output.isEmpty, "nothing was recorded or sent")
            }
        }
    }
}
