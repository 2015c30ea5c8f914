import Homeport

extension JSONValue {
    /// The value as people read it: texts without quotes, a dash for `null`, else JSON.
    var brief: String {
        switch self {
        case .null: "–"
        case .string(let text): text
        case .boolean, .number, .array, .object:
            String(decoding: JSONWriter.write(self), as: UTF8.self)
        }
    }
}

extension JSONObject {
    /// The members as people read them, in the order of their names.
    var brief: String {
        sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.brief)" }.joined(separator: " ")
    }
}
