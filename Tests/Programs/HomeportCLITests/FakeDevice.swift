import Basics
import Foundation
import Homeport
import TestSupport

/// A device that was written from PROTOCOL alone: its payloads are texts, its reader is
/// Foundation's, and it does what the test says.
struct FakeDevice: Sendable {
    /// A command that came.
    struct Command: Sendable {
        let id: String
        let name: String
        let controller: String
        let isUrgent: Bool
        let payload: [UInt8]
        let sequence: Int?
        let ifRevision: Int?
        let isDryRun: Bool
        /// The arguments as JSON with sorted members.
        let arguments: String

        init?(_ message: MQTTMessage) {
            guard let object = try? JSONSerialization.jsonObject(with: Data(message.payload)),
                let members = object as? [String: Any], let id = members["id"] as? String,
                let name = members["name"] as? String,
                let controller = members["controller"] as? String,
                let arguments = members["arguments"] as? [String: Any],
                let text = try? JSONSerialization.data(
                    withJSONObject: arguments, options: .sortedKeys)
            else { return nil }
            self.id = id
            self.name = name
            self.controller = controller
            isUrgent = message.topic.rawValue.hasSuffix("/command/urgent")
            payload = message.payload
            sequence = members["sequence"] as? Int
            ifRevision = members["ifRevision"] as? Int
            isDryRun = members["dryRun"] as? Bool ?? false
            self.arguments = String(decoding: text, as: UTF8.self)
        }
    }

    let id: String
    let peer: MQTTPeer
    private var base: String { "homeport/v1/home-1/\(id)" }

    /// The commands of a lamp, as PROTOCOL section 2 describes them.
    static let lampCommands = """
        [{"name":"locate","arguments":{"type":"object","properties":{},"additionalProperties":false},\
        "lane":"normal","sort":"instant","offline":"fail-fast","undo":"none"},\
        {"name":"set-level","arguments":{"type":"object","required":["percent"],\
        "properties":{"percent":{"type":"integer","minimum":0,"maximum":100}},\
        "additionalProperties":false},"lane":"normal","sort":"setting","offline":"latest",\
        "undo":"restore"},\
        {"name":"sweep","arguments":{"type":"object","properties":{},"additionalProperties":false},\
        "lane":"normal","sort":"action","offline":"expire","expireAfterMs":600000,"undo":"none"},\
        {"name":"stop","arguments":{"type":"object","properties":{},"additionalProperties":false},\
        "lane":"urgent","sort":"instant","offline":"barrier","undo":"none"},\
        {"name":"set-islanding","arguments":{"type":"object","required":["enabled"],\
        "properties":{"enabled":{"type":"boolean"}},"additionalProperties":false},\
        "lane":"normal","sort":"setting","offline":"fail-fast","undo":"restore",\
        "needsIfRevision":true}]
        """

    /// Connects a device, announces it and runs `body` beside it.
    static func with<Value>(
        _ id: String = "lamp-1", on url: String, commands: String = lampCommands,
        version: MQTTProtocolVersion = .v5, _ body: (FakeDevice) async throws -> Value
    ) async throws -> Value {
        try await MQTTPeer.with(url, id: "homeport-home-1-\(id)", version: version) { peer in
            let device = FakeDevice(id: id, peer: peer)
            try await peer.subscribe(
                "\(device.base)/command", "\(device.base)/command/urgent")
            try await device.announce(commands: commands)
            return try await body(device)
        }
    }

    /// Publishes what a device retains.
    func announce(commands: String = lampCommands, status: String = "online") async throws {
        try await peer.publish(
            "\(base)/description",
            """
            {"v":1,"device":"\(id)","model":"lamp-9","kind":"lamp","name":"Lamp","firmware":"1",\
            "capabilities":["connectable","controllable"],"commands":\(commands)}
            """, retain: true)
        try await presence(status)
        try await state(revision: 7)
    }

    /// Publishes a presence.
    func presence(_ status: String) async throws {
        try await peer.publish(
            "\(base)/presence",
            #"{"v":1,"device":"\#(id)","status":"\#(status)","boot":"b1","at":1764000000000}"#,
            retain: true)
    }

    /// Publishes a state.
    func state(revision: Int) async throws {
        try await peer.publish(
            "\(base)/state",
            """
            {"v":1,"device":"\(id)","boot":"b1","revision":\(revision),"at":1764000000000,\
            "by":null,"state":{"activity":"on"}}
            """, retain: true)
    }

    /// Publishes these members as its state.
    func publish(state members: String) async throws {
        try await peer.publish(
            "\(base)/state",
            #"{"v":1,"device":"\#(id)","boot":"b1","revision":8,"at":1764000000000,"by":null,"#
                + #""state":\#(members)}"#, retain: true)
    }

    /// Publishes a sample.
    func publish(telemetry values: String) async throws {
        try await peer.publish(
            "\(base)/telemetry",
            #"{"v":1,"device":"\#(id)","boot":"b1","at":1764000000000,"n":1,"values":\#(values)}"#)
    }

    /// Takes the commands that come, one after the other, until `answer` says that it is enough.
    func serve(
        _ answer: (Command) async throws -> Bool
    ) async throws {
        for await message in peer.messages {
            guard let command = Command(message) else {
                throw TestSupportError(
                    "no command: \(String(decoding: message.payload, as: UTF8.self))")
            }
            if try await answer(command) { return }
        }
    }

    /// The next commands that come, without those that are sent again.
    func commands(_ count: Int) async throws -> [Command] {
        var commands: [Command] = []
        try await serve { command in
            if !commands.contains(where: { $0.id == command.id }) { commands.append(command) }
            return commands.count == count
        }
        return commands
    }

    /// Acknowledges a command.
    func acknowledge(
        _ command: Command, n: Int, _ stage: String, code: String = "OK", message: String = "",
        revision: Int = 7, executions: Int = 1, result: String = "{}", id: String? = nil,
        device: String? = nil, percent: Int? = nil
    ) async throws {
        let isFinal = !["accepted", "progress"].contains(stage)
        let percent = percent.map { #""percent":\#($0),"# } ?? ""
        try await peer.publish(
            "\(base)/ack/\(command.controller)",
            """
            {"v":1,"id":"\(id ?? command.id)","device":"\(device ?? self.id)","boot":"b1","n":\(n),\
            "stage":"\(stage)","final":\(isFinal),"code":"\(code)","message":"\(message)",\(percent)\
            "result":\(result),"revision":\(revision),"executions":\(executions),\
            "replay":false,"at":1764000000000}
            """)
    }

    /// Accepts a command and ends it as succeeded.
    func carryOut(_ command: Command, revision: Int = 7) async throws {
        try await acknowledge(command, n: 1, "accepted", revision: revision, executions: 0)
        try await acknowledge(command, n: 2, "succeeded", revision: revision)
    }
}

/// The commands that a device got.
final class CommandLog: Sendable {
    private let entries = Guarded<[FakeDevice.Command]>([])

    /// All of them in order.
    var commands: [FakeDevice.Command] { entries.withLock { $0 } }

    /// Notes one.
    /// - Returns: how many there are now.
    @discardableResult
    func add(_ command: FakeDevice.Command) -> Int {
        entries.withLock { entries in
            entries.append(command)
            return entries.count
        }
    }
}
