import DeviceDomain
import DeviceMessages

/// Writes indented JSON: two spaces of indentation, members in the order of their names, a
/// newline at the end.
struct PrettyJSON {
    private var bytes: [UInt8] = []
    private var level = 0

    /// The bytes of a document.
    static func write(_ value: JSONValue) -> [UInt8] {
        var writer = PrettyJSON()
        writer.write(value)
        writer.bytes.append(UInt8(ascii: "\n"))
        return writer.bytes
    }

    private mutating func write(_ value: JSONValue) {
        switch value {
        case .array(let items) where items.contains { $0.isContainer }:
            block("[", "]", items) { $0.write($1) }
        case .array(let items):
            append("[")
            for (position, item) in items.enumerated() {
                if position > 0 { append(", ") }
                write(item)
            }
            append("]")
        case .object(let members) where !members.isEmpty:
            block("{", "}", members.sorted { $0.key < $1.key }) { writer, member in
                writer.write(.string(member.key))
                writer.append(": ")
                writer.write(member.value)
            }
        case .null, .boolean, .number, .string, .object: bytes += JSONWriter.write(value)
        }
    }

    private mutating func block<Item>(
        _ open: String, _ close: String, _ items: [Item], _ each: (inout PrettyJSON, Item) -> Void
    ) {
        append(open)
        level += 1
        for (position, item) in items.enumerated() {
            if position > 0 { append(",") }
            newLine()
            each(&self, item)
        }
        level -= 1
        newLine()
        append(close)
    }

    private mutating func newLine() {
        append("\n" + String(repeating: "  ", count: level))
    }

    private mutating func append(_ text: String) { bytes += text.utf8 }
}

extension JSONValue {
    fileprivate var isContainer: Bool { array != nil || object != nil }
}
