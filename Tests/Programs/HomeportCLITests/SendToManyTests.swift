import Foundation
import TestSupport
import Testing

/// The built program with a command for many devices, and what the ledger's log says of it.
@Suite(.timeLimit(.minutes(1))) struct SendToManyTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test(arguments: [true, false])
    func eachDeviceHasALineAndTheFailedOneGetsItAgain(isByID: Bool) async throws {
        try await withLamps { first, second, url in
            async let run = workplace.homeport(
                "send", "--kind", "lamp", "set-level", "percent=40", "--json", "--broker", url)
            try await first.carryOut(try #require(try await first.commands(1).first))
            let refused = try #require(try await second.commands(1).first)
            try await second.acknowledge(refused, n: 1, "rejected", code: "BUSY")
            let ended = try await run
            #expect(ended.status == 1)
            #expect(try states(ended.lines) == ["lamp-1": "succeeded", "lamp-2": "rejected"])

            let group = try #require(try await exported().firstMatch(of: /group:([0-9a-f-]+)/)?.1)
            async let retry = workplace.homeport(
                "send", "--retry", isByID ? String(group) : "last", "--json", "--broker", url)
            let again = try #require(try await second.commands(1).first)
            #expect(again.id != refused.id)
            #expect(again.arguments == refused.arguments)
            try await second.carryOut(again)
            let mended = try await retry
            #expect(mended.status == 0)
            #expect(try states(mended.lines) == ["lamp-2": "succeeded"])

            async let single = workplace.homeport("send", "lamp-1", "locate", "--broker", url)
            try await first.carryOut(try #require(try await first.commands(1).first))
            #expect(try await single.status == 0)
            let none = try await workplace.homeport("send", "--retry", "last", "--broker", url)
            #expect(
                none.status == 65 && none.errors.contains("was not sent to many devices"), "\(none)"
            )
        }
    }

    @Test func whatFitsNoDeviceIsNotRecorded() async throws {
        try await withLamps { _, _, url in
            for (words, status, remark) in [
                ("send --all frob", 65, "none of the 2 selected devices has a command \"frob\""),
                ("send --all set-level percent=400", 65, "percent"),
                ("send --kind robot locate", 65, "no device of kind robot is known in home-1"),
                ("send --where activity=off locate", 0, "nothing was sent\n"),
                ("devices --where activity=off", 0, "'homeport show DEVICE' the members"),
                (
                    "undo 018f0000-0000-7000-8000-000000000000", 65,
                    "it has the form of the id of a command or group"
                ),
            ] {
                let run = try await workplace.shell(
                    "exec \"$homeport\" \(words) --broker \(url)")
                #expect(run.status == status)
                #expect(run.errors.contains(remark))
                #expect(run.output.isEmpty)
            }
            #expect(try await exported().isEmpty)
        }
    }

    private func withLamps(
        _ body: (FakeDevice, FakeDevice, String) async throws -> Void
    ) async throws {
        try await withBroker { broker in
            try await FakeDevice.with("lamp-1", on: broker.url) { first in
                try await FakeDevice.with("lamp-2", on: broker.url) { second in
                    try await body(first, second, broker.url)
                }
            }
        }
    }

    private func exported() async throws -> String {
        let run = try await workplace.homeport("audit", "export")
        #expect(run.status == 0)
        return run.output
    }

    private func states(_ lines: [String]) throws -> [String: String] {
        var states: [String: String] = [:]
        for line in lines {
            let object = try #require(
                JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            states[try #require(object["device"] as? String)] = object["state"] as? String
        }
        return states
    }
}
