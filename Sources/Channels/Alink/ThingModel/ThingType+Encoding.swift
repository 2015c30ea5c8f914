package import DeviceDomain
internal import DeviceMessages

extension ThingType {
    /// JSON of a value on the wire: truth values and choices as whole numbers, `float` and `double` with a
    /// decimal point, without which the platform refuses them.
    /// - Returns: `nil` for a value that is not of this type.
    package func wire(_ value: JSONValue) -> String? {
        switch self {
        case .boolean: return value.boolean.map { $0 ? "1" : "0" }
        case .choice(let choices):
            return choices.first { $0.text == value.string }.map { "\($0.number)" }
        case .integer: return value.integer.map { "\($0)" }
        case .real: return value.number.map(\.withDecimalPoint)
        case .text, .date: return value.string.map(\.json)
        case .structure(let fields):
            return value.object.flatMap { ThingType.wire($0, of: fields) }
        case .list(let item, _):
            guard let values = value.array else { return nil }
            let written = values.compactMap { item.wire($0) }
            return written.count == values.count ? "[\(written.joined(separator: ","))]" : nil
        }
    }

    /// JSON of an object with these fields, in their order; those that are not given are left out.
    /// - Returns: `nil` if a value is not of its type.
    package static func wire(_ members: JSONObject, of fields: [ThingField]) -> String? {
        var written: [String] = []
        for field in fields {
            guard let member = members[field.identifier] else { continue }
            guard let value = field.type.wire(member) else { return nil }
            written.append("\(field.identifier.json):\(value)")
        }
        return "{\(written.joined(separator: ","))}"
    }
}

extension String {
    /// The text as JSON.
    fileprivate var json: String {
        String(decoding: JSONWriter.write(.string(self)), as: UTF8.self)
    }
}

extension Double {
    /// Decimal digits with a point and without an exponent.
    var withDecimalPoint: String {
        let text = description
        guard let letter = text.firstIndex(of: "e"),
            let exponent = Int(text[text.index(after: letter)...])
        else { return text }
        let sign = text.hasPrefix("-") ? "-" : ""
        let parts = text[..<letter].drop { $0 == "-" }.split(separator: ".")
        let digits = parts.joined()
        let point = (parts.first?.count ?? 0) + exponent
        if point <= 0 {
            return "\(sign)0.\(String(repeating: "0", count: -point))\(digits)"
        }
        let padded = digits + String(repeating: "0", count: max(0, point + 1 - digits.count))
        return "\(sign)\(padded.prefix(point)).\(padded.dropFirst(point))"
    }
}
