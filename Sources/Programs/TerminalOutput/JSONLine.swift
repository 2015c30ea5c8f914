package import DeviceDomain
internal import DeviceMessages

/// One JSON object on one line, its members in the order in which they are added.
package struct JSONLine: Sendable {
    enum Value {
        case plain(JSONValue)
        case line(JSONLine)
    }

    private(set) var members: [(name: String, value: Value)] = []

    package init() {}

    /// Adds a member.
    package mutating func add(_ name: String, _ value: JSONValue) {
        members.append((name, .plain(value)))
    }

    /// Adds a text, `null` where there is none.
    package mutating func add(_ name: String, _ text: String?) {
        add(name, text.map(JSONValue.string) ?? .null)
    }

    /// Adds a whole number, `null` where there is none.
    package mutating func add(_ name: String, _ number: Int?) {
        add(name, number.map(JSONValue.integer) ?? .null)
    }

    /// Adds an object whose members keep their own order.
    package mutating func add(_ name: String, _ line: JSONLine) {
        members.append((name, .line(line)))
    }

    /// The object. Characters that a terminal would obey are escaped as `\u202e`.
    package var text: String {
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
