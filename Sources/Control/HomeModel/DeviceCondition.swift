internal import Connectivity
public import DeviceDomain
internal import DeviceMessages

/// A condition on what a device last reported, written as `batteryPercent<20` or
/// `activity=cleaning`.
///
/// It compares one member of the device's state or telemetry with a value. Numbers compare as
/// numbers and texts by their characters; values of different types are unequal, and neither is less
/// than the other. A device that has not reported the member does not meet the condition, whatever
/// the relation.
public struct DeviceCondition: Hashable, Sendable, CustomStringConvertible {
    /// How a member is compared with the value.
    public enum Relation: String, Hashable, Sendable, CaseIterable {
        case less = "<"
        case lessOrEqual = "<="
        case equal = "="
        case greaterOrEqual = ">="
        case greater = ">"
        case unequal = "!="
    }

    /// The member of the state or of the telemetry. `update.state` is the member `state` of the
    /// object `update`.
    public let member: String
    /// How it is compared.
    public let relation: Relation
    /// What it is compared with: JSON where the text parses as JSON, a text otherwise.
    public let value: JSONValue
    /// The value as it was written, for members that are texts: `version=5` also meets `"5"`.
    private let writtenValue: String

    /// Reads a condition: a member, one of `< <= = >= > !=`, and a value.
    /// - Throws: ``InvalidCondition`` if the text is none; the message says what to write.
    package init(reading text: String) throws(InvalidCondition) {
        guard let sign = text.firstIndex(where: { "<>=!".contains($0) }) else {
            throw .condition(text, "has no comparison; write < <= = >= > or != after the member")
        }
        let signs = String(text[sign...].prefix { "<>=!".contains($0) })
        guard let relation = Relation(rawValue: signs) else {
            throw .condition(text, "compares with \(signs); write one of < <= = >= > !=")
        }
        let member = text[..<sign].trimmingBlanks
        guard !member.isEmpty else {
            throw .condition(text, "names no member; write one before \(signs)")
        }
        let written = text[sign...].dropFirst(signs.count).trimmingBlanks
        guard !written.isEmpty else {
            throw .condition(text, "has no value; write one after \(signs), \"\" for an empty text")
        }
        self.init(String(member), relation, written: String(written))
        guard relation.isEquality || value.number != nil || value.string != nil else {
            throw .condition(text, "\(signs) compares numbers and texts only; write = or !=")
        }
    }

    private init(_ member: String, _ relation: Relation, written: String) {
        self.member = member
        self.relation = relation
        writtenValue = written
        do {
            value = try JSONReader.read(Array(written.utf8))
        } catch {
            value = .string(written)
        }
    }

    /// The condition as it can be written.
    public var description: String { "\(member)\(relation.rawValue)\(writtenValue)" }

    /// Whether what is known of a device meets the condition.
    public func isMet(by device: KnownDevice) -> Bool {
        guard let reported = device.reportedValue(of: member) else { return false }
        return isMet(by: reported)
    }

    /// Why the value cannot be compared with what a device has reported, for people; `nil` where it can.
    package func mismatch(with reported: JSONValue) -> String? {
        switch reported {
        case .number where value.number == nil && !(value.isNull && relation.isEquality):
            "\(member) is a number, and \(writtenValue) is none"
        case .boolean where !relation.isEquality:
            "\(member) is true or false; compare it with = or !="
        case .boolean where value.boolean == nil && !value.isNull:
            "\(member) is true or false, and \(writtenValue) is neither"
        case .array where !relation.isEquality, .object where !relation.isEquality:
            "\(member) has several values; compare it with = or !="
        case .null, .number, .boolean, .string, .array, .object: nil
        }
    }

    /// Whether a reported value meets the condition.
    package func isMet(by reported: JSONValue) -> Bool {
        switch relation {
        case .equal: return isEqual(to: reported)
        case .unequal: return !isEqual(to: reported)
        case .less, .lessOrEqual, .greaterOrEqual, .greater: break
        }
        if let number = reported.number, let limit = value.number {
            return relation.holds(number, limit)
        }
        if let text = reported.string { return relation.holds(text, value.string ?? writtenValue) }
        return false
    }

    private func isEqual(to reported: JSONValue) -> Bool {
        reported == value || reported.string == writtenValue
    }
}

extension DeviceCondition.Relation {
    /// Whether any two values can be compared so.
    package var isEquality: Bool { self == .equal || self == .unequal }

    fileprivate func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .equal: left == right
        case .greaterOrEqual: left >= right
        case .greater: left > right
        case .unequal: left != right
        }
    }
}

extension KnownDevice {
    /// The value of a member that the device reported last, in its telemetry or its state, whichever
    /// is newer; `nil` if it has reported neither. A dot leads into an object: `update.state`.
    public func reportedValue(of member: String) -> JSONValue? {
        let sampled = telemetry?.values.value(at: member)
        let stated = state?.members.value(at: member)
        if let sampled, let stated, let sampledAt = telemetry?.at, let statedAt = state?.at {
            return statedAt > sampledAt ? stated : sampled
        }
        return sampled ?? stated
    }
}

extension JSONObject {
    /// The member of that name, else the one at the end of a path of names.
    package func value(at path: String) -> JSONValue? {
        if let value = self[path] { return value }
        guard let dot = path.firstIndex(of: ".") else { return nil }
        let inner = self[String(path[..<dot])]?.object
        return inner?.value(at: String(path[path.index(after: dot)...]))
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return self[first...last]
    }
}

/// A text is no condition; the message says what to write.
package struct InvalidCondition: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}

extension InvalidCondition {
    fileprivate static func condition(_ text: String, _ reason: String) -> InvalidCondition {
        InvalidCondition(
            description:
                "the condition '\(text)' \(reason), as in 'batteryPercent<20' or activity=cleaning")
    }
}
