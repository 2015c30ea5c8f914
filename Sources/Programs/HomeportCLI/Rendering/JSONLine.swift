import Homeport
import TerminalOutput

/// One JSON object on one line, its members in the order in which they are added.
struct JSONLine: Sendable {
    private enum Value {
        case plain(JSONValue)
        case line(JSONLine)
    }

    private var members: [(name: String, value: Value)] = []

    /// Adds a member.
    mutating func add(_ name: String, _ value: JSONValue) {
        members.append((name, .plain(value)))
    }

    /// Adds a text, `null` where there is none.
    mutating func add(_ name: String, _ text: String?) {
        add(name, text.map(JSONValue.string) ?? .null)
    }

    /// Adds a whole number, `null` where there is none.
    mutating func add(_ name: String, _ number: Int?) {
        add(name, number.map(JSONValue.integer) ?? .null)
    }

    /// Adds an object whose members keep their own order.
    mutating func add(_ name: String, _ line: JSONLine) {
        members.append((name, .line(line)))
    }

    /// Adds the members of a payload in the protocol's order, but for the version and `excluded`.
    mutating func addMembers<Message: PayloadMessage>(
        of message: Message, except excluded: Set<String> = []
    ) {
        guard let payload = try? JSONReader.read(message.payload).object else {
            preconditionFailure("a canonical payload is a JSON object")
        }
        for name in Message.shape.members.map(\.name) where name != "v" && !excluded.contains(name)
        {
            if let value = payload[name] { add(name, value) }
        }
    }

    /// The object. Characters that a terminal would obey are escaped as `\u202e`.
    var text: String {
        var writer = JSONWriter(reserving: 512)
        write(into: &writer)
        // Outside its strings JSON has no such characters, and in them an escape stands for the same.
        return String(decoding: writer.bytes, as: UTF8.self).printable
    }

    private func write(into writer: inout JSONWriter) {
        writer.writeObject { writer in
            for (name, value) in members {
                writer.writeName(name)
                switch value {
                case .plain(let value): writer.write(value)
                case .line(let line): line.write(into: &writer)
                }
            }
        }
    }
}
