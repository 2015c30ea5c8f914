import DeviceDomain
import DeviceMessages
import YAMLText

/// Reads values of JSON that are written as YAML, such as the arguments of a command.
struct YAMLValues {
    /// How deep values may be within each other (PROTOCOL section 2).
    private static let deepest = 16
    /// How many values there may be: an alias may stand for many.
    private static let most = 10_000

    private var count = 0

    /// The members of a mapping.
    /// - Parameter schema: what they should look like, which tells a text of digits from a number; `nil` where that
    ///   is not known.
    /// - Throws: `YAMLProblem` where this is no mapping, or too large.
    static func members(
        _ node: YAMLNode, _ schema: ArgumentSchema? = nil
    ) throws(YAMLProblem) -> JSONObject {
        var values = YAMLValues()
        return try values.members(node, schema, depth: 1)
    }

    private mutating func members(
        _ node: YAMLNode, _ schema: ArgumentSchema?, depth: Int
    ) throws(YAMLProblem) -> JSONObject {
        guard depth < Self.deepest else {
            throw node.error("this is nested more than \(Self.deepest) deep")
        }
        var object: JSONObject = [:]
        for (name, _, value) in try node.entries() {
            object[name] = try self.value(value, schema?.properties[name], depth: depth + 1)
        }
        return object
    }

    private mutating func value(
        _ node: YAMLNode, _ schema: ArgumentSchema?, depth: Int
    ) throws(YAMLProblem) -> JSONValue {
        count += 1
        guard count <= Self.most else { throw node.error("these are too many values") }
        if node.isMapping { return .object(try members(node, schema, depth: depth)) }
        if node.isList {
            guard depth < Self.deepest else {
                throw node.error("this is nested more than \(Self.deepest) deep")
            }
            var values: [JSONValue] = []
            for item in try node.items() {
                values.append(try value(item, schema?.items, depth: depth + 1))
            }
            return .array(values)
        }
        guard let plain = node.plainText else { return .string(node.anyText ?? "") }
        if let schema { return schema.value(typed: plain) }
        return (try? JSONReader.read(Array(plain.utf8))) ?? .string(plain)
    }
}
