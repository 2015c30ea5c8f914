package import DeviceDomain
import DeviceMessages

/// A journal holds something that is not a record.
package struct JournalDefect: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with it.
    package let reason: String

    package init(reason: String) { self.reason = reason }

    package var description: String { "not a journal record: \(reason)" }
}

extension JournalRecord {
    /// Reads the JSON form of a record.
    /// - Throws: ``JournalDefect`` naming the member that is missing or wrong.
    package init(json: JSONValue) throws(JournalDefect) {
        let members = try JournalMembers(json)
        switch try members.text("r") {
        case "entered": self = .entered(try members.entry())
        case "started":
            self = .started(try members.command(), executions: try members.integer("executions"))
        case "progressed": self = .progressed(try members.command(), try members.ack())
        case "finished": self = .finished(try members.finals(), try members.optionalState())
        case "confirmed": self = .confirmed(try members.command())
        case "evicted": self = .evicted(try members.commands())
        case "promised":
            self = .promised(
                try members.controller(), try members.ids(), at: try members.time("at"))
        case "released": self = .released(try members.controller(), try members.ids())
        case "sequenced":
            self = .sequenced(try members.sequenceKey(), try members.integer("sequence"))
        case "state": self = .state(try members.state())
        case "memory": self = .memory(JSONWriter.write(.object(try members.object("memory"))))
        case "committed": self = .committed(try members.claim())
        case "lost": self = .lost(before: try members.time("before"))
        case let kind: throw JournalDefect(reason: "unknown kind \(kind.debugDescription)")
        }
    }
}

/// Reads the members of one record.
private struct JournalMembers {
    let members: JSONObject

    init(_ value: JSONValue) throws(JournalDefect) {
        guard let members = value.object else { throw JournalDefect(reason: "not an object") }
        self.members = members
    }

    func text(_ name: String) throws(JournalDefect) -> String {
        try require(name, members[name]?.string)
    }

    func integer(_ name: String) throws(JournalDefect) -> Int {
        try require(name, members[name]?.integer)
    }

    func flag(_ name: String) throws(JournalDefect) -> Bool {
        try require(name, members[name]?.boolean)
    }

    func object(_ name: String) throws(JournalDefect) -> JSONObject {
        try require(name, members[name]?.object)
    }

    func list(_ name: String) throws(JournalDefect) -> [JSONValue] {
        try require(name, members[name]?.array)
    }

    func time(_ name: String) throws(JournalDefect) -> Timestamp {
        Timestamp(milliseconds: try integer(name))
    }

    func controller() throws(JournalDefect) -> ControllerID {
        try require("controller", ControllerID(rawValue: try text("controller")))
    }

    func claim() throws(JournalDefect) -> ClaimNonce {
        try require("claim", ClaimNonce(rawValue: try text("claim")))
    }

    func id(_ value: JSONValue?) throws(JournalDefect) -> CommandID {
        try require("id", value?.string.flatMap { CommandID($0) })
    }

    func ids() throws(JournalDefect) -> [CommandID] {
        var ids: [CommandID] = []
        for value in try list("ids") { ids.append(try id(value)) }
        return ids
    }

    func command() throws(JournalDefect) -> CommandKey {
        CommandKey(controller: try controller(), id: try id(members["id"]))
    }

    func commands() throws(JournalDefect) -> [CommandKey] {
        var keys: [CommandKey] = []
        for value in try list("commands") { keys.append(try JournalMembers(value).command()) }
        return keys
    }

    func ack() throws(JournalDefect) -> AckMessage {
        do {
            return try AckMessage(members: try object("ack"))
        } catch let defect as JournalDefect {
            throw defect
        } catch {
            throw JournalDefect(reason: "ack: \(error)")
        }
    }

    func finals() throws(JournalDefect) -> [FinishedCommand] {
        var finals: [FinishedCommand] = []
        for value in try list("commands") {
            let item = try JournalMembers(value)
            finals.append(FinishedCommand(try item.command(), try item.ack()))
        }
        return finals
    }

    func sequenceKey() throws(JournalDefect) -> SequenceKey {
        SequenceKey(
            setting: CommandName(rawValue: try text("setting")), controller: try controller())
    }

    func optionalState() throws(JournalDefect) -> RecordedState? {
        guard let value = members["state"] else { return nil }
        return try JournalMembers(value).state()
    }

    func state() throws(JournalDefect) -> RecordedState {
        RecordedState(
            revision: try integer("revision"), controlled: try object("controlled"),
            by: members["by"]?.isNull == false ? try id(members["by"]) : nil,
            at: try time("at"))
    }

    func entry() throws(JournalDefect) -> JournalEntry {
        JournalEntry(
            command: try command(), payload: Array(try text("payload").utf8),
            isUrgent: try flag("urgent"), executions: try integer("executions"), ack: try ack(),
            isConfirmed: try flag("confirmed"), expiry: try time("expiry"))
    }

    private func require<Value>(_ name: String, _ value: Value?) throws(JournalDefect) -> Value {
        guard let value else { throw JournalDefect(reason: "\(name) is missing or wrong") }
        return value
    }
}
