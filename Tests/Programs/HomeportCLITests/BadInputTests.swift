import TestSupport
import Testing

/// The built program and a user who is wrong.
@Suite(.timeLimit(.minutes(1))) struct BadInputTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test(arguments: [
        (["devices", "--frob"], "--frob"),
        (["devices", "sweeper-1"], "sweeper-1"),
        (["frob"], "there is no verb 'frob'; the verbs are devices, show"),
        (["devcies"], "there is no verb 'devcies'; did you mean devices? (see 'homeport --help')"),
        (["--json", "devices"], "options follow the verb: write 'homeport devices … --json'"),
        (["send"], "'homeport devices' lists the devices (see 'homeport send --help')"),
        (["send", "a"], "'homeport show <device>' lists its commands"),
        (["send", "a", "b", "c"], "write key=value"),
        (["show"], "device"), (["name", "a"], "Missing expected argument '<text>'"),
        (["room", "set", "a"], "Missing expected argument '<room>'"),
        (["devices", "--connect-timeout", "3x"], "500ms, 30s, 10m or 24h"),
        (["devices", "--connect-timeout", "0s"], "above zero"),
        (["devices", "--home", "Villa"], "use 1 to 63 lowercase letters, digits and hyphens"),
        (["devices", "--mqtt-version", "4"], "5 or 3.1.1"),
        (["devices", "--broker", "mqtts://example.org", "--ca-file", "/none"], "TLS"),
        (["devices", "--broker", "mqtt://ann:secret@example.org"], "credentials file"),
        (["devices", "--broker", "mqtt://[localhost]"], "write a host name without brackets"),
        (["devices", "--credentials-file", "/nonexistent"], "/nonexistent"),
        (["devices", "--ca-file", "x"], "--ca-file"),
        (["history", "--limit", "0"], "above zero"),
        (["history", "--limit", "-3"], "write a whole number above zero"),
        (["send", "a", "b", "--expires", "-1s"], "write a duration above zero"),
        (["serve", "--keep-telemetry", "-1d"], "write a duration above zero"),
        (["rule", "add", "a", "--when", "at=08:30", "--margin", "-1"], "a number from 0 on"),
        (["rule", "test", "a", "--from", "-2h"], "write how long ago, as 30m or 24h"),
        (["history", "--since", "-2h"], "write how long ago, as 30m or 24h"),
        (["telemetry", "a", "--every", "-1h"], "write a duration above zero"),
        (["telemetry", "a", "--from", "-2h"], "write how long ago, as 30m or 24h"),
        (
            ["identity", "export", "d", "--listen", "[::]:8883", "--message-size-limit", "-1"],
            "it is from 65536 to 268435455"
        ),
        (["identity", "export", "d", "--listen", "256.1.1.1:8883"], "write HOST:PORT"),
        (
            ["identity", "export", "d", "--listen", "h:1", "--server-name", ""],
            "write a name or an"
        ),
        (
            ["identity", "export", "d", "--listen", "h:1", "--server-name=a b"],
            "write a name or an"
        ),
        (["provision", "--security", "-1"], "it is 0, 1 or 2"),
        (["history", "--jsn"], "mean '--json'? (see 'homeport history --help')"),
        (["devices", "--sort", "nme"], "there is no column 'nme'; the columns are device"),
        (["devices", "--since", "1h"], "(see 'homeport devices --help')"),
        (["devices", "--wherre", "a=b"], "mean '--where'? (see 'homeport devices --help')"),
        (["identity", "export", "--nonsense"], "(see 'homeport identity export --help')"),
        (["identity", "--nonsense"], "(see 'homeport identity --help')"),
        (["devices", "--json=1"], "was specified. (see 'homeport devices --help')"),
        (["send", "--all"], "Missing expected argument '<command>'"),
        (["send", "--all", "--kind", "lamp", "locate"], "--all means every device"),
        (["send", "--retry", "x"], "write the id of a command"),
        (["send", "--kind", "lamp", "locate", "x"], "write key=value"),
        (["cancel", "x"], "write the id of a command, as 'history' lists it"),
        (["audit", "frob"], "'verify' and 'export'"),
        (["audit"], "<verify|export>"), (["keychain"], "<list|set|remove|rotate|doctor>"),
        (["schedule", "ad"], "there is no verb 'schedule ad'; did you mean add?"),
        (["identity", "frobnicate"], "the verbs are issue, list, rotate, revoke, export (see"),
        (["send", "a", "b", "--passes", "2"], "'--passes' (see 'homeport send --help')"),
        (["send", "a", "b", "--passes=2"], "'--passes' (see 'homeport send --help')"),
        (["send", "a", "b", "--levl", "max"], "Unknown option '--levl'"),
        (["send", "a", "b", "--set", "max"], "write key=value"),
        (
            ["schedule", "add", "--at", "08:30", "--date=2026-12-24", "a", "b"],
            "Unknown option '--date'"
        ),
        (["send", "a", "b", "--wait", "c"], "observed (see 'homeport send --help')"),
        (["devices", "--kind", ""], "write a kind, such as sweeping-robot"),
        (["send", "--kind", "", "locate"], "write a kind, such as sweeping-robot"),
    ])
    func aWrongCommandLineIsToldInOneLine(arguments: [String], hint: String) async throws {
        let run = try await workplace.shell("exec \"$homeport\" \(arguments.quoted)")
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.remarks.count == 1)
        #expect(run.errors.contains(hint))
        #expect(!run.errors.contains("secret"))
    }

    @Test func aBrokerThatIsAwayIsAStatusOfItsOwn() async throws {
        let port = try freePort()
        for verb in ["devices", "show lamp-1"] {
            let run = try await workplace.shell(
                "exec \"$homeport\" \(verb) --json --broker mqtt://127.0.0.1:\(port) "
                    + "--connect-timeout 50ms")
            #expect(run.status == 5)
            #expect(run.output.isEmpty)
            #expect(run.remarks.count == 1)
            #expect(run.errors.contains("127.0.0.1:\(port)"))
            #expect(run.errors.ranges(of: "check that a broker listens").count == 1)
        }
    }

    @Test func aBrokerThatIsSilentIsGivenUpInTime() async throws {
        let listener = try LoopbackListener()
        defer { listener.close() }
        let run = try await workplace.homeport(
            "devices", "--broker", "mqtt://127.0.0.1:\(listener.port)", "--connect-timeout", "300ms"
        )
        #expect(run.status == 5)
        #expect(run.remarks.count == 1)
    }

    @Test func theBrokerOfTheEnvironmentIsCheckedToo() async throws {
        let run = try await workplace.homeport(
            "devices", environment: ["HOMEPORT_BROKER": "nonsense"])
        #expect(run.status == 64)
        #expect(run.errors.contains("HOMEPORT_BROKER"))
    }

    @Test func credentialsComeFromAFileThatOnlyTheUserCanRead() async throws {
        let passwords = try await workplace.shell(
            "cd \"$HOME\" && mosquitto_passwd -b -c passwords ann secret && chmod 644 passwords && chmod 755 ."
        )
        #expect(passwords.status == 0)
        let right = try workplace.folder.file("right", "username=ann\npassword=secret\n")
        let wrong = try workplace.folder.file("wrong", "username=ann\npassword=guess\n")
        let open = try workplace.folder.file("open", "username=ann\npassword=secret\n", mode: 0o644)
        try await withBroker(
            "allow_anonymous false", "password_file \(workplace.folder.path)/passwords"
        ) { broker in
            for (file, status) in [(right, Int32(0)), (wrong, 5), (open, 64)] {
                let run = try await workplace.homeport(
                    "devices", "--broker", broker.url, "--credentials-file", file)
                #expect(run.status == status, "\(file): \(run.errors)")
                #expect(run.remarks.count == 1)
                let talkative = try await workplace.homeport(
                    "devices", "--broker", broker.url, "--credentials-file", file, "--verbose")
                #expect(talkative.status == status)
                for secret in ["secret", "guess"] {
                    #expect(!run.errors.contains(secret) && !talkative.errors.contains(secret))
                }
            }
            let nobody = try await workplace.homeport("watch", "--broker", broker.url)
            #expect(nobody.status == 5)
            #expect(nobody.errors.contains("credentials"))
        }
    }

    @Test(arguments: [
        (["explain", "018f0000-0000-7000-8000-000000000000"], "'homeport history' lists"),
        (["cancel", "018f0000-0000-7000-8000-000000000000"], "'homeport history' lists"),
        (["schedule", "remove", "9"], "'homeport schedule list' lists"),
    ])
    func anIDThatTheLedgerDoesNotHaveIsToldWhereTheIDsAre(
        arguments: [String], hint: String
    ) async throws {
        let run = try await workplace.shell("exec \"$homeport\" \(arguments.quoted)")
        #expect(run.status == 65)
        #expect(run.output.isEmpty)
        #expect(run.remarks.count == 1)
        #expect(run.errors.contains(hint))
    }

    @Test func aLedgerThatCannotBeWrittenIsAnInternalErrorWithARemedy() async throws {
        let run = try await workplace.homeport("history", "--database", "/dev/null/ledger.sqlite")
        #expect(run.status == 70)
        #expect(run.output.isEmpty)
        #expect(run.remarks.count == 1)
        #expect(run.errors.contains("/dev/null/ledger.sqlite"))
    }

    @Test func nothingIsIssuedIntoAFolderThatCannotBeWritten() async throws {
        let run = try await workplace.homeport(
            "identity", "issue", "lamp-1", "--directory", "/proc/none")
        #expect(run.status == 65, "\(run.errors)")
        #expect(run.output.isEmpty)
        #expect(run.remarks.count == 1)
        #expect(run.errors.contains("with --directory"))
        let listed = try await workplace.homeport("identity", "list", "--json")
        #expect(listed.status == 0 && listed.output.isEmpty, "\(listed)")
    }

    /// Whoever opens a pipe waits for its writer.
    @Test func aPipeIsNoCertificateRequest() async throws {
        let run = try await workplace.shell(
            "mkfifo \"$HOME/pipe\" && exec \"$homeport\" identity issue lamp-1 --csr \"$HOME/pipe\""
        )
        #expect(run.status == 65, "\(run)")
        #expect(run.remarks.count == 1)
        #expect(run.errors.contains("/pipe is not a regular file"))
    }

    @Test func anUnknownDeviceIsWrongInput() async throws {
        try await withBroker { broker in
            let run = try await workplace.homeport("show", "mower-1", "--broker", broker.url)
            #expect(run.status == 65)
            #expect(run.errors.contains("mower-1"))
        }
    }

    @Test func helpAndVersionAreResults() async throws {
        for verb in [
            "devices", "show", "watch", "send", "history", "queue", "cancel", "undo", "redo",
            "explain", "resolve", "audit", "channels", "doctor",
            "keychain", "forget", "instances",
        ] {
            let help = try await workplace.homeport(verb, "--help")
            #expect(help.status == 0)
            #expect(help.errors.isEmpty)
            #expect(help.output.contains(/Examples?: homeport/))
            #expect(help.output.contains("homeport \(verb)"))
            #expect(help.output.contains("Exit status:"))
        }
        let version = try await workplace.homeport("--version")
        #expect(version.status == 0)
        #expect(version.lines.count == 1)
    }
}

extension [String] {
    /// The words as a shell reads them.
    fileprivate var quoted: String { map { "'\($0)'" }.joined(separator: " ") }
}
