import Basics
import Foundation
import Glibc
import Homeport
import TestSupport
import Testing

/// What `homeport serve` keeps, and what `homeport telemetry` prints of it.
@Suite(.timeLimit(.minutes(2))) struct TelemetryTests {
    private let workplace: Workplace
    /// 2025-11-24T16:00:00Z.
    private static let start = 1_764_000_000_000

    init() throws { workplace = try Workplace() }

    @Test func whatAServerHasHeardIsPrintedInEveryForm() async throws {
        try await keep { device in
            for n in 1...4 {
                try await device.sample(n, #"{"depthM":\#(n).5,"mode":"say \"hi\""}"#)
            }
        }
        let json = try await telemetry("-o", "json")
        #expect(
            json.lines
                == (1...4).map { n in
                    #"{"at":\#(Self.start + n * 60_000),"values":{"depthM":\#(n).5,"mode":"say \"hi\""}}"#
                })
        #expect(try await telemetry("--json").lines == json.lines)
        let csv = try await telemetry("-o", "csv")
        #expect(csv.lines.first == "at,depthM,mode")
        #expect(csv.lines.last == #"2025-11-24T16:04:00.000Z,4.5,"say ""hi""""#)
        #expect(csv.lines.count == 5)
        let line = try await telemetry("-o", "line")
        #expect(
            line.lines.first
                == #"telemetry,home=home-1,device=lamp-1 depthM=1.5,mode="say \"hi\"" "#
                + "\(Self.start + 60_000)000000")
        #expect(try await telemetry().lines.first?.hasPrefix("2025-11-24 16:01:00") == true)
        // By its name, and only a part.
        let part = try await workplace.homeport(
            "telemetry", "Lamp", "--from", "2025-11-24T16:02Z", "--to", "2025-11-24T16:04Z", "-o",
            "json")
        #expect(part.lines == Array(json.lines[1...2]), "\(part)")
        let means = try await telemetry("--every", "2m", "-o", "json")
        #expect(
            means.lines
                == [(0, "1.5"), (2, "3"), (4, "4.5")].map { minute, mean in
                    #"{"at":\#(Self.start + minute * 60_000),"values":{"depthM":\#(mean)}}"#
                })
    }

    @Test(arguments: ["csv", "json"])
    func aFullDiskUnderStdoutIsNotTakenForMissingSamples(form: String) async throws {
        try await keep { try await $0.sample(1, #"{"x":1}"#) }
        let run = try await workplace.shell(
            "exec \"$homeport\" telemetry lamp-1 --from 2020-01-01 -o \(form) > /dev/full")
        #expect(run.status == 70, "\(run)")
        #expect(run.remarks.count == 1, "\(run.errors)")
        #expect(run.errors.contains("No space left on device"), "\(run.errors)")
    }

    @Test func nothingIsSaidOfWhatIsNotThere() async throws {
        let unknown = try await telemetry()
        #expect(unknown.status == 65)
        try await keep(options: ["--keep-history", "none"]) { try await $0.sample(1, "{}") }
        let none = try await telemetry("-o", "json")
        #expect(none.status == 0 && none.output.isEmpty)
        #expect(none.errors.contains("no samples of lamp-1 are kept"), "\(none.errors)")
        #expect(!FileManager.default.fileExists(atPath: history))
        let wrong = try await telemetry("--every", "0s")
        #expect(wrong.status == 64)
        let backwards = try await workplace.homeport(
            "telemetry", "lamp-1", "--from", "1h", "--to", "2h")
        #expect(backwards.status == 64)
    }

    /// The server dies with a batch half written: what was written before is whole.
    @Test func aKillLosesNothingThatWasWritten() async throws {
        try await keep { for n in 1...3 { try await $0.sample(n, #"{"x":\#(n)}"#) } }
        try await keep(environment: ["HOMEPORT_KILL_POINT": "H0"], status: nil) {
            for n in 4...6 { try await $0.sample(n, #"{"x":\#(n)}"#) }
        }
        #expect(try await telemetry("-o", "json").lines.count == 3)
        try await keep { for n in 6...7 { try await $0.sample(n, #"{"x":\#(n)}"#) } }
        let kept = try await telemetry("-o", "json").lines
        #expect(kept.count == 5)
        #expect(kept.last?.contains(#""x":7"#) == true)
    }

    /// A server begins with what is due of an earlier one, and dies with samples half moved into means.
    @Test func aKillDuringUpkeepLosesNothingAndCountsNothingTwice() async throws {
        try await keep { for n in 1...3 { try await $0.sample(n, #"{"x":\#(n)}"#) } }
        let killed = try await withBroker { broker in
            try await workplace.runningForRemarks(
                ["serve", "--broker", broker.url], environment: ["HOMEPORT_KILL_POINT": "H1"]
            ) { server in
                try await server.readToEnd()
            }
        }
        #expect(killed == -SIGKILL)
        #expect(try await telemetry("-o", "json").lines.count == 3)
        try await keep { try await $0.sample(4, #"{"x":6}"#) }
        #expect(try await telemetry("-o", "json").lines.count == 4)
        let mean = #"{"at":\#(Self.start),"values":{"x":3}}"#
        #expect(try await telemetry("--every", "1h", "-o", "json").lines == [mean])
    }

    @Test func aDamagedHistoryStopsNoCommand() async throws {
        try await keep { try await $0.sample(1, #"{"x":1}"#) }
        try Data("no database".utf8).write(to: URL(filePath: history))
        for end in ["-wal", "-shm"] { unlink(history + end) }
        let reading = try await telemetry()
        #expect(reading.status == 70)
        #expect(reading.errors.contains("is damaged"), "\(reading.errors)")
        try await keep { device in
            async let call = workplace.homeport("send", "lamp-1", "locate")
            try await device.carryOut(try #require(try await device.commands(1).first))
            #expect(try await call.status == 0)
            try await device.sample(2, #"{"x":2}"#)
        }
        #expect(FileManager.default.fileExists(atPath: history + ".damaged"))
        try await keep { try await $0.sample(3, #"{"x":3}"#) }
        #expect(try await telemetry("-o", "json").lines.count == 2)
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser can mount a small disk"))
    func aDiskThatIsNearlyFullIsLeftToTheLedger() async throws {
        let disk = "\(workplace.folder.path)/disk"
        mkdir(disk, 0o700)
        try #require(mount("none", disk, "tmpfs", 0, "size=4m,mode=700") == 0)
        defer { umount2(disk, Int32(MNT_DETACH)) }
        let database = ["HOMEPORT_DATABASE": "\(disk)/ledger.sqlite"]
        let remarks = Remarks()
        try await keep(environment: database, remarks: remarks) {
            try await $0.sample(1, #"{"x":1}"#)
        }
        #expect(
            remarks.texts.filter { $0.contains("less than 8 MiB are free") }.count == 1,
            "\(remarks.texts)")
        #expect(!FileManager.default.fileExists(atPath: "\(disk)/ledger.sqlite-history"))
    }

    @Test func otherVerbsDoNotOpenTheHistory() async throws {
        try await keep { try await $0.sample(1, #"{"x":1}"#) }
        // Whoever opens it fails.
        unlink(history)
        mkdir(history, 0o700)
        for words in [
            ["history"],
            ["devices", "--broker", "mqtt://127.0.0.1:1", "--connect-timeout", "100ms"], ["queue"],
        ] {
            let run = try await workplace.homeport(words)
            #expect(!run.errors.contains("history is"), "\(run)")
            #expect(!run.errors.contains(history), "\(run)")
        }
        #expect(try await telemetry().status == 70)
    }

    @Test func doctorNamesSizeAndRange() async throws {
        try await keep { for n in 1...4 { try await $0.sample(n, #"{"x":\#(n)}"#) } }
        let report = try await workplace.homeport(
            "doctor", "--broker", "mqtt://127.0.0.1:1", "--json")
        let line = try #require(report.lines.first { $0.contains(#""check":"history""#) })
        #expect(
            line.contains("samples of 1 device from 2025-11-24T16:01Z to 2025-11-24T16:04Z"),
            "\(line)")
        #expect(line.contains("KiB"))
    }

    // MARK: PostgreSQL

    @Test func aDatabaseKeepsWhatItIsAskedToKeep() async throws {
        try await withPostgreSQL { database in
            let variables = ["HOMEPORT_DATABASE": database.url]
            let remarks = Remarks()
            try await keep(environment: variables, remarks: remarks) {
                try await $0.sample(1, #"{"x":1}"#)
            }
            #expect(remarks.texts.contains { $0.contains("--keep-telemetry") }, "\(remarks.texts)")
            #expect(try await telemetry(in: variables, "-o", "json").output.isEmpty)
            for n in 2...4 {
                try await keep(options: ["--keep-telemetry", "7d"], environment: variables) {
                    // What a former server has heard is heard again.
                    for n in 2...n { try await $0.sample(n, #"{"x":\#(n)}"#) }
                }
            }
            let kept = try await telemetry(in: variables, "-o", "json")
            #expect(
                kept.lines
                    == (2...4).map { n in
                        #"{"at":\#(Self.start + n * 60_000),"values":{"x":\#(n)}}"#
                    }, "\(kept)")
            let mean = #"{"at":\#(Self.start),"values":{"x":3}}"#
            #expect(
                try await telemetry(in: variables, "--every", "1h", "-o", "json").lines == [mean])
            #expect(
                try await telemetry(in: variables, "-o", "line").lines.first?
                    .hasPrefix("telemetry,home=home-1,device=lamp-1 x=2 ") == true)
        }
    }

    @Test func anAgeIsForADatabase() async throws {
        try await withBroker { broker in
            let run = try await workplace.homeport(
                "serve", "--broker", broker.url, "--keep-telemetry", "7d")
            #expect(run.status == 64, "\(run)")
            #expect(run.errors.contains("--keep-telemetry is for a ledger in PostgreSQL"))
            #expect(!run.errors.contains("ready"))
        }
        for age in ["23h", "3661d", "soon"] {
            let run = try await workplace.homeport("serve", "--keep-telemetry", age)
            #expect(run.status == 64, "\(age): \(run)")
        }
    }

    // MARK: A server

    private var history: String { "\(workplace.folder.path)/state/homeport/ledger.sqlite-history" }

    private func database(in environment: [String: String]) -> [String: String] {
        environment.filter { $0.key == "HOMEPORT_DATABASE" }
    }

    private func telemetry(
        in environment: [String: String] = [:], _ options: String...
    ) async throws -> Workplace.Run {
        try await workplace.homeport(
            ["telemetry", "lamp-1", "--from", "2020-01-01"] + options, environment: environment)
    }

    /// Runs a server beside a device until the body has ended and the server has heard what it said.
    /// - Parameter status: how the server ends; `nil` where it is killed.
    private func keep(
        options: [String] = [], environment: [String: String] = [:], status: Int32? = 0,
        remarks: Remarks? = nil, _ body: (FakeDevice) async throws -> Void
    ) async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                let end = try await workplace.runningForRemarks(
                    ["serve", "--broker", broker.url] + options, environment: environment
                ) { server in
                    while let line = try await server.line(), line != "ready" { remarks?.add(line) }
                    try await body(device)
                    // What comes behind the samples is answered, so that they were heard.
                    async let call = workplace.homeport(
                        ["send", "lamp-1", "locate"], environment: database(in: environment))
                    try await device.carryOut(try #require(try await device.commands(1).first))
                    #expect(try await call.status == 0)
                    kill(server.processID, SIGTERM)
                    while let remarks, let line = try await server.line() { remarks.add(line) }
                }
                #expect(status == nil ? end != 0 : end == status)
            }
        }
    }
}

/// What a server has said.
private final class Remarks: Sendable {
    private let lines = Guarded<[String]>([])
    var texts: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

extension FakeDevice {
    /// Publishes a sample that was taken in a minute.
    fileprivate func sample(_ n: Int, _ values: String) async throws {
        try await peer.publish(
            "homeport/v1/home-1/\(id)/telemetry",
            #"{"v":1,"device":"\#(id)","boot":"b1","at":\#(1_764_000_000_000 + n * 60_000),"n":\#(n),"#
                + #""values":\#(values)}"#)
    }
}
