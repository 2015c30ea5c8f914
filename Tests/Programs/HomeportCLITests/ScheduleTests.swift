import Foundation
import Homeport
import TestSupport
import Testing

/// The built `homeport schedule`.
@Suite(.timeLimit(.minutes(1))) struct ScheduleTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test func aScheduleIsAddedListedAndRemoved() async throws {
        try await withKnownLamp {
            let added = try await workplace.homeport(
                "schedule", "add", "--at", "08:30", "--days", "mon-fri", "lamp", "set-level",
                "--set", "percent=40", "--json")
            #expect(added.status == 0, "\(added)")
            let listed = try await list()
            #expect(listed.count == 1)
            #expect(listed[0]["id"] as? String == "1")
            #expect(listed[0]["device"] as? String == "lamp-1")
            #expect(listed[0]["name"] as? String == "set-level")
            #expect(listed[0]["command"] as? String == "set-level")
            #expect(listed[0]["arguments"] as? [String: Int] == ["percent": 40])
            #expect(listed[0]["at"] as? String == "08:30")
            #expect(listed[0]["days"] as? String == "mon-fri")
            #expect(listed[0]["lastRunAt"] is NSNull && listed[0]["lastMissedAt"] is NSNull)
            let table = try await workplace.homeport("schedule", "list")
            #expect(table.lines.count == 2)
            #expect(table.output.contains("08:30 mon-fri"))
            #expect(try await workplace.homeport("schedule", "remove", "1").status == 0)
            #expect(try await list().isEmpty)
        }
    }

    @Test func aScheduleIsEditedPausedAndResumed() async throws {
        try await withKnownLamp {
            _ = try await workplace.homeport(
                "schedule", "add", "--at", "08:30", "--days", "mon-fri", "lamp", "set-level",
                "percent=40")
            let edited = try await workplace.homeport("schedule", "edit", "1", "--at", "09:00")
            #expect(edited.status == 0, "\(edited)")
            _ = try await workplace.homeport("schedule", "edit", "1", "--set", "percent=60")
            var listed = try await list()
            #expect(listed[0]["at"] as? String == "09:00")
            #expect(listed[0]["days"] as? String == "mon-fri")
            #expect(listed[0]["arguments"] as? [String: Int] == ["percent": 60])
            #expect(listed[0]["paused"] as? Bool == false)
            #expect(try await workplace.homeport("schedule", "pause", "1").status == 0)
            listed = try await list()
            #expect(listed[0]["paused"] as? Bool == true && listed[0]["next"] is NSNull)
            #expect(try await workplace.homeport("schedule", "list").output.contains("paused"))
            #expect(try await workplace.homeport("schedule", "resume", "1").status == 0)
            #expect(try await list()[0]["next"] is Int)
            for call in [["edit", "9", "--at", "09:00"], ["pause", "9"], ["resume", "9"]] {
                let refused = try await workplace.homeport(["schedule"] + call)
                #expect(refused.status == 65, "\(refused)")
            }
            #expect(try await workplace.homeport("schedule", "edit", "1").status == 64)
            let wrong = try await workplace.homeport(
                "schedule", "edit", "1", "--set", "percent=400")
            #expect(wrong.status == 65, "\(wrong)")
        }
    }

    /// Summer time begins at 02:00 and ends at 03:00 there; the numbers are UTC.
    @Test(arguments: [
        ("2027-03-28", "02:30", 1_806_195_600_000), ("2027-03-28", "03:30", 1_806_197_400_000),
        ("2027-10-31", "02:30", 1_824_942_600_000), ("2027-12-24", "08:00", 1_829_631_600_000),
    ])
    func theNextRunFollowsTheClockOnTheWall(date: String, time: String, next: Int) async throws {
        let zone = ["TZ": "CET-1CEST,M3.5.0,M10.5.0/3"]
        try await withKnownLamp {
            let added = try await workplace.homeport(
                "schedule", "add", "--at", time, "--once", date, "lamp-1", "locate", "--json",
                environment: zone)
            #expect(added.status == 0, "\(added)")
            #expect(added.output.contains("\"next\":\(next),"), "\(added.output)")
        }
    }

    @Test(arguments: [
        (["--at", "8:30", "lamp-1", "locate"], 64, "write a time from 00:00 to 23:59"),
        (["--at", "08:30", "--days", "mo", "lamp-1", "locate"], 64, "write days as mon,tue"),
        (["--at", "08:30", "--once", "24.12.", "lamp-1", "locate"], 64, "write a date as"),
        (["--at", "08:30", "--once", "2020-01-01", "lamp-1", "locate"], 64, "has passed"),
        (
            ["--at", "08:30", "--days", "mon", "--once", "2027-01-01", "lamp-1", "locate"], 64,
            "give one"
        ),
        (["lamp-1", "locate"], 64, "--at"),
        (["--at", "08:30", "lamp-1", "fly"], 65, "no command"),
        (["--at", "08:30", "lamp-1", "set-level", "percent=400"], 65, "percent"),
    ])
    func aWrongScheduleIsToldAndNotAdded(
        arguments: [String], status: Int32, message: String
    ) async throws {
        try await withKnownLamp {
            let run = try await workplace.shell(
                "exec \"$homeport\" schedule add \(arguments.joined(separator: " "))")
            #expect(run.status == status)
            #expect(run.errors.contains(message), "\(run.errors)")
            #expect(try await list().isEmpty)
        }
    }

    @Test func withoutTheDeviceAndABrokerTheStatusIsFive() async throws {
        let run = try await workplace.homeport(
            "schedule", "add", "--at", "08:30", "lamp-1", "locate", "--broker",
            "mqtt://127.0.0.1:1", "--connect-timeout", "1ms")
        #expect(run.status == 5)
    }

    /// A time that is still to come in one zone is over in another.
    @Test func forgetNamesTheSchedulesThatRunAgain() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                for time in ["$(date -u '+%H:%M --once %F')", "08:30 --days mon-fri"] {
                    let added = try await workplace.shell(
                        "\"$homeport\" schedule add --at \(time) lamp-1 locate --broker \"$1\"",
                        arguments: [broker.url], environment: ["TZ": "WEST12"])
                    #expect(added.status == 0, "\(added)")
                }
                try await device.presence("offline")
                let forgotten = try await workplace.homeport(
                    "forget", "lamp-1", "--broker", broker.url, environment: ["TZ": "EAST-14"])
                #expect(forgotten.output == "forgot lamp-1\n", "\(forgotten)")
                #expect(forgotten.errors.contains("schedule 2 still sends it locate"))
                #expect(!forgotten.errors.contains("schedule 1 "), "\(forgotten.errors)")
            }
        }
    }

    // MARK: Steps

    /// Runs `body` with a ledger that remembers a lamp whose broker has ended.
    private func withKnownLamp(_ body: () async throws -> Void) async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { _ in
                let run = try await workplace.homeport("devices", "--broker", broker.url)
                #expect(run.status == 0)
            }
        }
        try await body()
    }

    private func list() async throws -> [[String: Any]] {
        let run = try await workplace.homeport("schedule", "list", "--json")
        #expect(run.status == 0, "\(run)")
        return try run.lines.map { line in
            try #require(
                JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }
}
