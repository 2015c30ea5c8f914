import TestSupport
import Testing

/// `homeport provision` with the boxed devices of `homeport-sim`.
@Suite(.timeLimit(.minutes(2))) struct ProvisionTests {
    /// The first device has Security 1, the second Security 2.
    @Test func bothProtectionsBringADeviceIntoTheHome() async throws {
        try await BoxedHouse.with(2) { house in
            for index in [0, 1] {
                let run = try await house.workplace.homeport(house.words(index))
                try #require(run.status == 0, "\(run)")
                #expect(run.lines.last?.hasSuffix("\(house.name(index)) is in the home") == true)
                #expect(run.lines.count == 6, "\(run)")
                #expect(try await house.certificates(index) == 1)
                let known = try await house.presence(index)
                #expect(known.count == 1 && known[0].contains("\"online\""), "\(known)")
            }
            let found = try await house.workplace.shell(
                "grep -r -l -a \(BoxedHouse.password) \(house.workplace.folder.path)")
            #expect(found.output == "")
        }
    }

    /// Interrupted when the device has just been told to join, which nobody can stop any more.
    @Test func aCancelledProgramDoesNotClaimToHaveTakenBackADeviceThatComesAllTheSame()
        async throws
    {
        try await BoxedHouse.with(1) { house in
            var lines: [String] = []
            let status = try await house.workplace.running(house.words(0)) { program in
                while let line = try await program.line() {
                    if line.contains("waiting for it") { break }
                }
                program.interrupt()
                try await program.readToEnd()
                lines = program.lines
            }
            // The device may have been quicker than the signal.
            #expect([0, 3].contains(status), "\(lines)")
            if status == 3 {
                #expect(lines.last?.contains("not known whether robo-1") == true, "\(lines)")
            }
            #expect(try await house.certificates(0) == 1)
            let again = try await house.workplace.homeport(house.words(0))
            #expect(again.status == 0, "\(again)")
            #expect(try await house.certificates(0) == 1)
            let known = try await house.presence(0)
            #expect(known.count == 1 && known[0].contains("\"online\""), "\(known)")
        }
    }

    @Test func aBoxedDeviceTakesNoFaults() async throws {
        try await BoxedHouse.with(1) { house in
            let run = try await house.workplace.homeport(house.words(0))
            try #require(run.status == 0, "\(run)")
            for name in ["robo-1", "home-1/robo-1", "boxed-1"] {
                let fault = try await FaultHouse.sim(
                    ["inject", name, "offline"], in: house.workplace)
                #expect(fault.status == 64)
                #expect(fault.errors.contains("\(name) is a boxed device"), "\(fault)")
            }
        }
    }

    @Test(arguments: [
        ["--wifi", "attic="], ["--fail-safe", "1m"],
        ["--wifi", "attic=", "--wifi", "attic=secret12", "--unprovisioned", "1"],
    ])
    func optionsOfBoxedDevicesThatMeanNothingAreRefused(options: [String]) async throws {
        let ending = try await SimulatorProcess.runToEnd(options)
        #expect(ending.status == 64)
        #expect(ending.lines.first?.contains("\(options[0])") == true, "\(ending.lines)")
    }

    /// The path begins as an option does.
    @Test func aPictureOfTheLabelBringsADeviceIntoTheHome() async throws {
        try await BoxedHouse.with(1) { house in
            let run = try await house.workplace.shell(
                """
                cd "$HOME" && qrencode -o ./-label.png "$label" &&
                "$homeport" provision --qr=-label.png "$@"
                """,
                arguments: Array(house.words(0).dropFirst(3)),
                environment: ["label": house.labels[0].code])
            #expect(run.status == 0, "\(run)")
            #expect(run.lines.last?.hasSuffix("robo-1 is in the home") == true, "\(run)")
            #expect(try await house.presence(0).count == 1)
            let refused = try await house.workplace.shell(
                "cd \"$HOME\" && \"$homeport\" provision --qr=state \"$@\"",
                arguments: Array(house.words(0).dropFirst(3)))
            #expect(refused.status == 65)
            #expect(refused.remarks.count == 1)
            #expect(refused.errors.contains("state is not a regular file"), "\(refused.errors)")
        }
    }

    /// The argument is what is wrong at the first attempt, and a word of what the user is told.
    @Test(arguments: ["password", "proof", "network"])
    func aMistakeIsTakenBackAndTheNextAttemptSucceeds(mistake: String) async throws {
        try await BoxedHouse.with(1) { house in
            let run = try await house.workplace.shell(
                "echo wrong-passphrase | $homeport keychain set wrong")
            try #require(run.status == 0, "\(run)")
            let words =
                switch mistake {
                case "password": house.words(0, password: "keychain:wrong")
                case "proof":
                    house.words(
                        0, code: house.labels[0].code.replacing("\"pop\":\"", with: "\"pop\":\"x"))
                default: house.words(0, network: "cellar")
                }
            let failed = try await house.workplace.homeport(words)
            #expect(failed.status == 1, "\(failed)")
            #expect(failed.output.lowercased().contains(mistake), "\(failed)")
            #expect(try await house.certificates(0) == 0)
            #expect(try await house.presence(0).isEmpty)
            let secrets = try await house.workplace.homeport("keychain", "list", "--json")
            #expect(!secrets.output.contains("wifi"), "\(secrets)")
            let again = try await house.workplace.homeport(house.words(0))
            #expect(again.status == 0, "\(again)")
        }
    }

    /// Types passwords at a terminal, each when it is asked for.
    private static let typist = """
        os, pty, subprocess, sys = map(__import__, ("os", "pty", "subprocess", "sys"))
        terminal, end = pty.openpty()
        program = subprocess.Popen(sys.argv[2:], stdin=end, stdout=subprocess.PIPE, stderr=end)
        os.close(end)
        for password in ("wrong-passphrase", sys.argv[1]):
            said = b""
            while not said.endswith(b": "):
                said += os.read(terminal, 1024)
            os.write(terminal, password.encode() + b"\\n")
        sys.stdout.buffer.write(said + program.communicate()[0])
        sys.exit(program.returncode)
        """

    @Test(arguments: [(BoxedHouse.password, Int32(0)), ("", 1)])
    func aPersonIsAskedForAnotherPassword(password: String, status: Int32) async throws {
        try await BoxedHouse.with(1) { house in
            var words = house.words(0)
            words.replace(["--password", "keychain:attic"], with: [])
            let run = try await house.workplace.shell(
                "python3 -c \"$typist\" \"$1\" \"$homeport\" \"${@:2}\"",
                arguments: [password] + words, environment: ["typist": Self.typist])
            #expect(run.status == status, "\(run)")
            #expect(run.output.contains("Another Wi-Fi password"), "\(run)")
            #expect(run.lines.contains { $0.contains("refused the password") })
            #expect(run.lines.last?.hasSuffix("is in the home") == (status == 0), "\(run)")
            #expect(!run.output.contains("passphrase"))
            #expect(try await house.certificates(0) == (status == 0 ? 1 : 0))
        }
    }

    /// Presses Ctrl-C where a password is asked for, at the nth time, and tells how the program ended and
    /// whether the terminal shows again what is typed.
    private static let interrupter = """
        os, pty, sys, termios = map(__import__, ("os", "pty", "sys", "termios"))
        program, terminal = pty.fork()
        if program == 0:
            os.execv(sys.argv[2], sys.argv[2:])
        shows = lambda: bool(termios.tcgetattr(terminal)[3] & termios.ECHO)
        said, hidden = b"", []
        for key in [b"wrong-passphrase\\n"] * int(sys.argv[1]) + [b"\\x03"]:
            said = b""
            while not said.endswith(b": "):
                said += os.read(terminal, 1024)
            hidden.append(not shows())
            os.write(terminal, key)
        status = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
        print(all(hidden), status, shows())
        """

    @Test(arguments: [0, 1])
    func ctrlCEndsTheQuestionForAPasswordAtOnce(former: Int) async throws {
        try await BoxedHouse.with(1) { house in
            var words = house.words(0)
            words.replace(["--password", "keychain:attic"], with: [])
            let run = try await house.workplace.shell(
                "python3 -c \"$interrupter\" \"$1\" \"$homeport\" \"${@:2}\"",
                arguments: ["\(former)"] + words, environment: ["interrupter": Self.interrupter])
            #expect(run.output == "True -2 True\n", "\(run)")
            #expect(try await house.certificates(0) == 0)
        }
    }

    /// Killed when it has said that it is in a state, once for each of the five; the same command goes on.
    @Test func aProgramThatIsKilledLeavesOneDeviceAndOneCertificate() async throws {
        try await BoxedHouse.with(5) { house in
            for index in 0..<5 {
                var last: String?
                let status = try await house.workplace.running(house.words(index)) { program in
                    for _ in 0...index { last = try await program.line() }
                    program.kill()
                }
                // `12 ms  STATE: CAUSE`.
                let state = last?.split(separator: " ").dropFirst(2).joined(separator: " ") ?? ""
                let again = try await house.workplace.homeport(house.words(index))
                #expect(again.status == 0, "\(again)")
                let certificates = try await house.certificates(index)
                let known = try await house.presence(index)
                #expect(certificates == 1)
                #expect(known.count == 1 && known[0].contains("\"online\""), "\(known)")
                print(
                    "provisioning: killed (\(status)) in '\(state)': "
                        + "\(known.count) device, \(certificates) certificate")
            }
        }
    }
}
