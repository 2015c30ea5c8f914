import Foundation
import Glibc
import TestSupport
import Testing

/// The built `homeport name` and `homeport room`, and where names and rooms are seen.
@Suite(.timeLimit(.minutes(1))) struct NamingVerbsTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    private func object(_ line: String?) throws -> [String: Any] {
        let data = Data(try #require(line).utf8)
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// Two lamps that the ledger knows.
    private func withLamps(_ body: (String) async throws -> Void) async throws {
        try await withBroker { broker in
            try await FakeDevice.with("lamp-1", on: broker.url) { _ in
                try await FakeDevice.with("lamp-2", on: broker.url) { _ in
                    #expect(
                        try await workplace.homeport("devices", "--broker", broker.url).status == 0)
                    try await body(broker.url)
                }
            }
        }
    }

    private func expect(_ status: Int32, _ words: String..., saying: String? = nil) async throws {
        let run = try await workplace.homeport(words)
        #expect(run.status == status, "\(words): \(run)")
        if let saying {
            #expect((run.output + run.errors).contains(saying), "\(words): \(run)")
        }
    }

    @Test func aNameAndARoomAreSeenEverywhere() async throws {
        try await withLamps { url in
            // By the ledger alone.
            try await expect(
                0, "name", "lamp-1", "Kitchen light", saying: "lamp-1 is called Kitchen light")
            try await expect(0, "room", "add", "Kitchen", saying: "added the room Kitchen")
            try await expect(
                0, "room", "set", "KITCHEN light", "kitchen", saying: "in the room Kitchen")
            let found = try await workplace.homeport(
                "devices", "--room", "KITCHEN", "--json", "--broker", url)
            #expect(found.lines.count == 1)
            let lamp = try object(found.lines.first)
            #expect(lamp["device"] as? String == "lamp-1")
            #expect(lamp["name"] as? String == "Kitchen light")
            #expect(lamp["room"] as? String == "Kitchen")
            let all = try await workplace.homeport("devices", "--json", "--broker", url)
            #expect(try object(all.lines.last)["room"] is NSNull)
            try await expect(
                0, "devices", "--broker", url, saying: "lamp-1  Kitchen light  Kitchen  lamp")
            try await expect(
                0, "show", "kitchen LIGHT", "--broker", url, saying: "lamp-1 – Kitchen light")
            let rooms = try await workplace.homeport("room", "list", "--json")
            #expect(
                rooms.lines == [#"{"name":"Kitchen","home":"home-1","devices":["lamp-1"]}"#])
            try await expect(0, "room", "set", "lamp-1", "", saying: "lamp-1 is in no room")
            try await expect(0, "name", "lamp-1", "", saying: "its own name again")
            try await expect(65, "show", "Kitchen light", "--broker", url, saying: "no device")
        }
    }

    @Test func whatIsWrongIsRefusedWithItsRemedy() async throws {
        try await withLamps { url in
            try await expect(0, "name", "lamp-2", "Attic")
            try await expect(0, "room", "add", "Hall")
            for (status, words, text) in [
                (65, ["name", "lamp-1", "lamp-2"], "id of another device"),
                (65, ["name", "lamp-1", "ATTIC"], "is the name of lamp-2"),
                (64, ["name", "lamp-1", String(repeating: "x", count: 65)], "65 characters; 64"),
                (64, ["name", "lamp-1", "a\nb"], "control character"),
                (65, ["name", "lamp-9", "X", "--broker", url], "no device lamp-9"),
                (65, ["room", "add", "hall"], "there is a room \"Hall\" already"),
                (64, ["room", "add", " "], "the name is empty"),
                (65, ["room", "set", "lamp-1", "Hal"], "the rooms are Hall; did you mean Hall?"),
                (65, ["room", "remove", "Cellar"], "the rooms are Hall"),
                (65, ["devices", "--room", "Cellar", "--broker", url], "the rooms are Hall"),
                (65, ["watch", "--room", "Cellar", "--broker", url], "the rooms are Hall"),
                (65, ["history", "--room", "Cellar"], "the rooms are Hall"),
                (
                    65, ["send", "--room", "Cellar", "locate", "--broker", url],
                    "the rooms are Hall"
                ),
            ] as [(Int32, [String], String)] {
                let run = try await workplace.homeport(words)
                #expect(run.status == status, "\(words): \(run)")
                #expect(run.errors.contains(text), "\(words): \(run)")
                #expect(run.output.isEmpty)
            }
        }
    }

    @Test func aRemovedRoomSaysWhoWasInIt() async throws {
        try await withLamps { _ in
            try await expect(0, "room", "add", "Hall")
            try await expect(0, "room", "set", "lamp-1", "Hall")
            try await expect(
                0, "room", "remove", "hall", saying: "lamp-1 is in no room now")
            try await expect(0, "room", "list", saying: "home-1 has no rooms of yours")
        }
    }

    /// The verb with `--verbose` does the work itself, beside the server.
    @Test func aServerSeesWhatAnotherProcessHasSaid() async throws {
        try await withLamps { url in
            let status = try await workplace.runningForRemarks("serve", "--broker", url) { server in
                try await server.line(beginning: "ready")
                try await expect(0, "name", "lamp-1", "Robbie", "--broker", url, "--verbose")
                try await expect(0, "devices", "--broker", url, saying: "lamp-1  Robbie")
                try await expect(0, "name", "lamp-2", "Hugo", "--broker", url)
                try await expect(0, "show", "hugo", "--broker", url, saying: "lamp-2 – Hugo")
                kill(server.processID, SIGTERM)
            }
            #expect(status == 0)
        }
    }

    @Test func listsTakeFormsOrdersAndColumns() async throws {
        try await withLamps { url in
            try await expect(0, "name", "lamp-1", "Zoe")
            let names = try await workplace.homeport(
                "devices", "-o", "name", "--sort", "name", "--broker", url)
            #expect(names.lines == ["lamp-2", "lamp-1"])
            let table = try await workplace.homeport(
                "devices", "--columns", "name,device", "--sort", "-name", "--broker", url)
            #expect(table.lines == ["NAME  DEVICE", "Zoe   lamp-1", "Lamp  lamp-2"])
            let yaml = try await workplace.homeport("devices", "-o", "yaml", "--broker", url)
            #expect(yaml.output.hasPrefix("- device: lamp-1\n  home: home-1\n  channel: mqtt\n"))
            try await expect(
                64, "devices", "--sort", "frob", saying: "the columns are device, name, room")
            try await expect(64, "history", "--columns", "frob", saying: "created, device, name")
            try await expect(64, "queue", "--json", "-o", "yaml", saying: "leave out --json or")
            try await expect(
                64, "devices", "--watch", "-o", "yaml", saying: "choose -o table, wide or json")
            let listed = try await workplace.homeport(
                "send", "lamp-*,zoe", "frob", "--broker", url)
            #expect(listed.status == 65, "\(listed)")
        }
    }
}
