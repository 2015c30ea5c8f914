package import DeviceDomain
internal import DeviceMessages

extension ThingType {
    /// A value as Homeport has it, of a value on the wire.
    ///
    /// Devices post JSON values, the API answers each as a text: both are read.
    /// - Returns: `nil` for a value that is not of this type. Limits are not checked: what a device reports is
    ///   so.
    package func value(ofWire wire: JSONValue) -> JSONValue? {
        switch self {
        case .boolean:
            switch wire.read {
            case .boolean(let flag): return .boolean(flag)
            case .number(0): return false
            case .number(1): return true
            default: return nil
            }
        case .choice(let choices):
            guard let number = wire.read.integer else { return nil }
            let text = choices.first { $0.number == number }?.text
            return .string(text ?? "\(number)")
        case .integer: return wire.read.integer.map(JSONValue.integer)
        case .real: return wire.read.number.map(JSONValue.number)
        case .text:
            guard wire.string != nil else { return nil }
            return wire
        case .date:
            if wire.string != nil { return wire }
            return wire.integer.map { .string("\($0)") }
        case .structure(let fields):
            guard let members = wire.read.object else { return nil }
            return Self.members(members, of: fields).map(JSONValue.object)
        case .list(let item, _):
            guard let values = wire.read.array else { return nil }
            let read = values.compactMap { item.value(ofWire: $0) }
            return read.count == values.count ? .array(read) : nil
        }
    }

    /// The members of an object that are fields; `nil` if one of them has another type.
    static func members(_ members: JSONObject, of fields: [ThingField]) -> JSONObject? {
        var read: JSONObject = [:]
        for field in fields {
            guard let member = members[field.identifier], !member.isNull else { continue }
            guard let value = field.type.value(ofWire: member) else { return nil }
            read[field.identifier] = value
        }
        return read
    }

    /// Whether a reported value shows that one which was asked for was taken over, both as Homeport has them.
    ///
    /// Of a structure the members that were asked for count. Numbers with a fraction may differ by what a
    /// `float` or the model's own step cannot express.
    package func shows(_ reported: JSONValue, asked: JSONValue) -> Bool {
        switch self {
        case .boolean, .choice, .integer, .text, .date: return reported == asked
        case .real(_, _, let step):
            guard let reported = reported.number, let asked = asked.number else { return false }
            // A float has 24 binary digits (IEEE 754, binary32).
            let rounding = max(asked.magnitude, 1) * 0x1p-23
            return (reported - asked).magnitude <= max(step / 2, 0) + rounding
        case .structure(let fields):
            guard let reported = reported.object, let asked = asked.object else { return false }
            return fields.allSatisfy { field in
                guard let wanted = asked[field.identifier] else { return true }
                return reported[field.identifier].map { field.type.shows($0, asked: wanted) }
                    ?? false
            }
        case .list(let item, _):
            guard let reported = reported.array, let asked = asked.array else { return false }
            return reported.count == asked.count
                && zip(reported, asked).allSatisfy { item.shows($0, asked: $1) }
        }
    }
}

extension JSONValue {
    /// What a text stands for, as the API answers values; any other value as it is.
    fileprivate var read: JSONValue {
        guard case .string(let text) = self else { return self }
        return (try? JSONReader.read(Array(text.utf8))) ?? self
    }
}
