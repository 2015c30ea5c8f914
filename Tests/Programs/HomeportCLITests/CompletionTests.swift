import Glibc
import TestSupport
import Testing

@testable import HomeportCLI

/// Completion in real shells, from what the ledger remembers: the broker is gone by then.
/// Three shells start the program for each answer, which takes its time under a sanitizer.
@Suite(.timeLimit(.minutes(Sanitizer.isBuiltIn ? 5 : 1))) struct CompletionTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    /// Like those of a lamp, with a command and a value whose names are made to become a script.
    private static let commands = """
        [{"name":"set-mode","arguments":{"type":"object","required":["mode"],\
        "properties":{"mode":{"enum":["eco","boost","$(touch pwned)"]},\
        "dim":{"type":"boolean"},"level":{"type":"integer","minimum":0,"maximum":100},\
        "step":{"type":"integer","minimum":1,"maximum":3}},\
        "additionalProperties":false},"lane":"normal","sort":"setting","offline":"latest",\
        "undo":"restore"},"locate","$(touch pwned)","`touch pwned`","a b","query-commands"]
        """

    private func remember() async throws {
        try await withBroker { broker in
            try await FakeDevice.with("lamp-1", on: broker.url, commands: Self.commands) { _ in
                try await FakeDevice.with("fan-1", on: broker.url) { _ in
                    let run = try await workplace.homeport("devices", "--broker", broker.url)
                    #expect(run.status == 0)
                }
            }
        }
    }

    /// What bash offers at the end of a line that readline has broken into these words.
    private func offeredByBash(_ words: [String]) async throws -> [String] {
        let current = words.last == "=" ? "" : words.last ?? ""
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let run = try await workplace.shell(
            """
            PATH="$(dirname "$homeport"):$PATH"; cd "$HOME"
            [ -e completion.bash ] || "$homeport" --generate-completion-script bash > completion.bash
            source ./completion.bash
            COMP_WORDS=(\(quoted)) COMP_CWORD=\(words.count - 1) COMP_TYPE=9
            COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
            compopt() { :; }
            __homeport_complete homeport '\(current)' "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """)
        #expect(run.errors.isEmpty)
        return run.lines.sorted()
    }

    @Test func bashCompletesDevicesCommandsArgumentsAndValues() async throws {
        try await remember()
        let modes = ["mode=boost", "mode=eco"]
        let expected: [(line: [String], offered: [String])] = [
            (["homeport", "sh"], ["show"]),
            (["homeport", "show", ""], ["fan-1", "lamp-1"]),
            (["homeport", "watch", "fan-1", "l"], ["lamp-1"]),
            (["homeport", "history", "--device", "f"], ["fan-1"]),
            (["homeport", "send", ""], ["fan-1", "lamp-1"]),
            (["homeport", "send", "lamp-1", ""], ["locate", "set-mode"]),
            (["homeport", "send", "LAMP", "s"], []),
            (["homeport", "send", "mower-1", ""], []),
            (
                ["homeport", "send", "lamp-1", "set-mode", ""],
                ["dim=false", "dim=true", "level="] + modes + ["step=1", "step=2", "step=3"]
            ),
            (["homeport", "send", "lamp-1", "set-mode", "--set", "m"], modes),
            (["homeport", "send", "lamp-1", "set-mode", "mode", "="], ["boost", "eco"]),
            (["homeport", "send", "lamp-1", "set-mode", "mode", "=", "e"], ["eco"]),
            (
                [
                    "homeport", "send", "lamp-1", "set-mode", "step", "=", "1", "mode", "=", "eco",
                    "d",
                ],
                ["dim=false", "dim=true"]
            ),
            (
                [
                    "homeport", "send", "--broker", "mqtt", ":", "//127.0.0.1", ":", "1883",
                    "lamp-1", "set-mode", "mode", "=", "b",
                ], ["boost"]
            ),
            (["homeport", "send", "--home", "other", ""], []),
            (["homeport", "send", "--database", "/nonexistent", ""], []),
            (["homeport", "send", "lamp-1", "locate", "--wait", "f"], ["final"]),
        ]
        for (line, offered) in expected {
            let answer = try await offeredByBash(line)
            #expect(answer == offered, "\(line)")
        }
        #expect(!workplace.folder.has("pwned"))
    }

    @Test func bashCompletesWhatARuleIsMadeOf() async throws {
        try await remember()
        let added = try await workplace.homeport(
            "rule", "add", "dark", "--when", "event=fault", "--device", "lamp-1", "--do", "locate")
        #expect(added.status == 0, "\(added)")
        let add = ["homeport", "rule", "add", "x"]
        let expected: [(line: [String], offered: [String])] = [
            (["homeport", "rule", "pa"], ["pause"]),
            (["homeport", "rule", "pause", ""], ["1", "dark"]),
            (["homeport", "rule", "test", "d"], ["dark"]),
            (add + ["--when", "sun"], ["sunrise", "sunset"]),
            (add + ["--when", "pres"], ["presence=offline", "presence=online"]),
            (add + ["--kind", ""], ["lamp"]),
            (add + ["--device", "f"], ["fan-1"]),
            (add + ["--to", "l"], ["lamp-1"]),
            (add + ["--device", "lamp-1", "--do", ""], ["locate", "notify", "set-mode"]),
            (add + ["--device", "fan-1", "--do", "set"], ["set-islanding", "set-level"]),
            (add + ["--device", "fan-1", "--to", "lamp-1", "--do", "set"], ["set-mode"]),
        ]
        for (line, offered) in expected {
            let answer = try await offeredByBash(line)
            #expect(answer == offered, "\(line)")
        }
        #expect(!workplace.folder.has("pwned"))
    }

    /// Zsh has a terminal of its own, in which another shell runs and gets a line and a tab.
    @Test(
        .enabled(if: isInstalled("zsh") && isInstalled("fish"), "run scripts/setup check first"),
        arguments: ["zsh", "fish"])
    func otherShellsCompleteOnATerminal(shell: String) async throws {
        try await remember()
        let expected = [
            ("show fa", "fan-1"), ("send lamp-1 loc", "locate"),
            ("send lamp-1 set-mode mode=ec", "mode=eco"),
        ]
        for (line, completed) in expected {
            let run = try await workplace.shell(
                Self.terminalScript,
                environment: ["shell": shell, "line": line, "completed": completed])
            #expect(run.output.contains(completed), "\(shell): \(line): \(run.output)")
        }
        #expect(!workplace.folder.has("pwned"))
    }

    private static let terminalScript = #"""
        export PATH="$(dirname "$homeport"):$PATH"; cd "$HOME"; mkdir -p functions
        "$homeport" --generate-completion-script zsh > functions/_homeport
        "$homeport" --generate-completion-script fish > homeport.fish
        exec timeout 20 zsh -f -c '
            zmodload zsh/zpty
            case $shell in
            zsh) zpty terminal zsh -f -i
                begin="PS1=; fpath=(\$HOME/functions \$fpath); autoload -Uz compinit; compinit -u -D";;
            fish) zpty terminal fish --no-config -i
                begin="source homeport.fish";;
            esac
            zpty -w terminal "$begin; echo rea\"\"dy"
            zpty -r -m terminal text "*ready*"
            zpty -n -w terminal "homeport $line"$'"'\\t'"'
            zpty -r -m terminal text "*${completed}*" && print -r -- "$text"
            zpty -d terminal'
        """#

    @Test func withoutALedgerNothingIsOfferedAndNothingIsMade() async throws {
        #expect(try await offeredByBash(["homeport", "send", ""]).isEmpty)
        #expect(!workplace.folder.has("state"))
    }

    @Test(
        arguments: [
            (["homeport", "send", "a", "b", "c=1", ""], 5, ["a", "b", "c=1"], nil, nil),
            (["homeport", "send", "--wait", "final", "'a'", "--json", "b"], 6, ["a"], nil, nil),
            (["homeport", "send", "--home=x", "a", "--set", "b"], 5, ["a"], "--set", nil),
            (["homeport", "send", "a", "b", "c", "=", "1"], 6, ["a", "b"], nil, "c"),
            (["homeport", "send", "a", "b", "c=1"], 4, ["a", "b"], nil, nil),
            (["homeport", "send", "--set", "--set", "a"], 4, [], nil, nil),
            (["homeport", "send"], 1, [], nil, nil), ([], 0, [], nil, nil),
        ] as [([String], Int, [String], String?, String?)])
    func aLineIsTakenApart(
        words: [String], index: Int, positionals: [String], option: String?, splitName: String?
    ) {
        let line = CompletionLine(words, index)
        #expect(line.positionals == positionals)
        #expect(line.option == option)
        #expect(line.splitName == splitName)
    }
}

private func isInstalled(_ program: String) -> Bool {
    ["/usr/bin/", "/bin/", "/usr/local/bin/"].contains { access($0 + program, X_OK) == 0 }
}
