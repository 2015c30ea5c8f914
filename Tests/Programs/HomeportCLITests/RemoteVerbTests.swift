import Glibc
import Homeport
import TestSupport
import Testing

/// What a machine without a broker does with a home that another one serves, by a ledger in PostgreSQL.
@Suite(.timeLimit(.minutes(2))) struct RemoteVerbTests {
    private let serving: Workplace
    private let other: Workplace

    init() throws {
        serving = try Workplace()
        other = try Workplace()
    }

    @Test func theOwnerCarriesOutWhatAnotherMachineSends() async throws {
        try await withServer { device, call in
            async let run = call(["send", "lamp-1", "locate", "--json"])
            try await device.carryOut(try #require(try await device.commands(1).first))
            let sent = try await run
            #expect(sent.status == 0, "\(sent)")
            let object = try sent.object()
            #expect(object["state"]?.string == "succeeded")
            #expect(object["device"]?.string == "lamp-1")
            #expect(object["sends"]?.integer == 1)
            let history = try await call(["history", "--json"])
            #expect(try history.object() == object)
            let explained = try await call(["explain", "last"])
            #expect(explained.status == 0)
            let steps = explained.lines.map { $0.split(whereSeparator: \.isWhitespace) }
                .map { $0.joined(separator: " ") }
            let recorded = try #require(
                steps.firstIndex { $0.contains("recorded it in the ledger") })
            let left = try #require(
                steps.firstIndex { $0.contains("sent to lamp-1, by the instance") })
            #expect(recorded < left, "\(explained)")
        }
    }

    @Test func waitsEndAsElsewhere() async throws {
        try await withServer { device, call in
            async let timedOut = call([
                "send", "lamp-1", "sweep", "--wait", "accepted", "--wait-timeout", "200ms",
            ])
            let sweep = try #require(try await device.commands(1).first)
            #expect(try await timedOut.status == 3)
            #expect(try await timedOut.errors.contains("the wait has ended"))
            try await device.acknowledge(sweep, n: 1, "accepted", executions: 0)
            async let refused = call(["send", "lamp-1", "locate"])
            var locate = sweep
            // Before its acknowledgement that one may have been sent again.
            while locate.id == sweep.id {
                locate = try #require(try await device.commands(1).first)
            }
            try await device.acknowledge(
                locate, n: 1, "rejected", code: "BUSY", message: "not now", executions: 0)
            #expect(try await refused.status == 1)
            #expect(try await refused.output.contains("not now"))
        }
    }

    @Test func whatTheLedgerDoesNotKnowIsWrongInput() async throws {
        try await withServer { _, call in
            let unknown = try await call(["send", "lamp-9", "locate"])
            #expect(unknown.status == 65, "\(unknown)")
            #expect(unknown.errors.contains("another process owns the home"))
            #expect(try await call(["send", "lamp-1", "fly"]).status == 65)
            #expect(try await call(["send", "lamp-1", "set-level", "percent=300"]).status == 65)
            let none = try await call(["history"])
            #expect(none.errors.contains("no commands of home-1 are in the ledger yet"), "\(none)")
        }
    }

    @Test func aCommandForADeviceThatIsAwayIsTakenBack() async throws {
        try await withServer { device, call in
            try await device.presence("offline")
            try await call.untilServerHears("offline")
            let refused = try await call(["send", "lamp-1", "locate"])
            #expect(refused.status == 1, "\(refused)")
            #expect(refused.output.contains("offline"))
            let waiting = try await call([
                "send", "lamp-1", "sweep", "--wait-timeout", "200ms", "--json",
            ])
            #expect(waiting.status == 3, "\(waiting)")
            let id = try #require(try waiting.object()["id"]?.string)
            #expect(try await call(["queue", "--json"]).output.contains(id))
            let cancelled = try await call(["cancel", id])
            #expect(cancelled.status == 0, "\(cancelled)")
            try await device.presence("online")
            try await call.untilServerHears("online")
            async let run = call(["send", "lamp-1", "locate"])
            let next = try #require(try await device.commands(1).first)
            #expect(next.name == "locate")
            try await device.carryOut(next)
            #expect(try await run.status == 0)
        }
    }

    @Test func settingsAreUndoneAndDoneAgain() async throws {
        try await withServer { device, call in
            async let set = call(["send", "lamp-1", "set-level", "percent=40"])
            let first = try #require(try await device.commands(1).first)
            try await device.acknowledge(
                first, n: 1, "succeeded", revision: 8, result: #"{"previous":70}"#)
            #expect(try await set.status == 0)
            async let undo = call(["undo", "Lamp"])
            let second = try #require(try await device.commands(1).first)
            #expect(second.arguments == #"{"percent":70}"#)
            #expect(second.ifRevision == 8)
            try await device.acknowledge(
                second, n: 1, "succeeded", revision: 9, result: #"{"previous":40}"#)
            #expect(try await undo.status == 0)
            async let redo = call(["redo", "lamp-1"])
            let third = try #require(try await device.commands(1).first)
            #expect(third.arguments == #"{"percent":40}"#)
            try await device.carryOut(third, revision: 10)
            #expect(try await redo.status == 0)
        }
    }

    @Test func manyDevicesAndDryRuns() async throws {
        try await withServer { device, call in
            async let run = call(["send", "--kind", "lamp", "locate", "--dry-run"])
            let dry = try #require(try await device.commands(1).first)
            #expect(dry.isDryRun)
            try await device.carryOut(dry)
            #expect(try await run.status == 0)
            async let list = call(["send", "lamp-*", "locate"])
            try await device.carryOut(try #require(try await device.commands(1).first))
            #expect(try await list.status == 0)
            let none = try await call(["send", "--kind", "pool-robot", "locate"])
            #expect(none.status == 65, "\(none)")
        }
    }

    @Test func schedulesAreAdded() async throws {
        try await withServer { _, call in
            let added = try await call(["schedule", "add", "--at", "03:30", "lamp-1", "locate"])
            #expect(added.status == 0, "\(added)")
            let unknown = try await call(["schedule", "add", "--at", "03:30", "lamp-9", "locate"])
            #expect(unknown.status == 65, "\(unknown)")
            let list = try await call(["schedule", "list"])
            #expect(list.output.contains("lamp-1"))
        }
    }

    // MARK: Parts

    /// A machine whose broker is not there, beside the one that serves the home.
    private struct OtherMachine: Sendable {
        let workplace: Workplace
        let serving: Workplace
        let broker: String
        let variables: [String: String]

        func callAsFunction(_ arguments: [String]) async throws -> Workplace.Run {
            try await workplace.homeport(
                arguments + ["--broker", broker], environment: variables)
        }

        /// Asks the server until it has heard a presence of its one device.
        func untilServerHears(_ presence: String) async throws {
            for _ in 0..<100 {
                let run = try await serving.homeport("devices", "--json", environment: variables)
                if run.output.contains(#""presence":"\#(presence)""#) { return }
            }
            throw TestSupportError("the server has not heard that its device is \(presence)")
        }
    }

    /// Runs a home with one lamp on one machine, and calls on another one.
    private func withServer(
        _ body: (FakeDevice, OtherMachine) async throws -> Void
    ) async throws {
        try await withPostgreSQL { database in
            let variables = ["HOMEPORT_DATABASE": database.url]
            let machine = OtherMachine(
                workplace: other, serving: serving, broker: "mqtt://127.0.0.1:\(try freePort())",
                variables: variables)
            try await withBroker { broker in
                try await FakeDevice.with(on: broker.url) { device in
                    let status = try await serving.runningForRemarks(
                        "serve", "--broker", broker.url, environment: variables
                    ) { server in
                        try await server.line(beginning: "ready")
                        try await body(device, machine)
                        kill(server.processID, SIGTERM)
                    }
                    #expect(status == 0)
                }
            }
        }
    }
}

extension Workplace.Run {
    /// The first line of its output, which is an object of JSON.
    fileprivate func object() throws -> JSONObject {
        let line = try #require(lines.first, "\(self)")
        return try #require(try JSONReader.read(Array(line.utf8)).object)
    }
}
