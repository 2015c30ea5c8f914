public import DeviceDomain
internal import DeviceMessages
internal import SharedPresentation

/// One argument of a command: how it is asked for, what was entered, and what is wrong with that.
public struct CommandField: Hashable, Sendable {
    /// How it is asked for.
    public enum Kind: Hashable, Sendable {
        /// One of a few values; the text is the value as JSON.
        case choice([JSONValue])
        /// Yes or no; the text is `true` or `false`.
        case boolean
        /// A number within limits.
        case number(minimum: Double?, maximum: Double?, isWhole: Bool)
        /// A text.
        case text(isSecret: Bool)
        /// Any number of a few values; the text is a list of them as JSON.
        case choices([JSONValue])
        /// Whole numbers, with commas or blanks between them.
        case numbers
        /// Anything else, as JSON.
        case json
    }

    /// What is wrong with what was entered.
    public enum Problem: Error, Hashable, Sendable {
        /// Nothing was entered, and the command needs it.
        case missing
        /// It is no number.
        case notANumber
        /// It is no whole number.
        case notWhole
        /// The number is less than this.
        case tooSmall(minimum: Double)
        /// The number is more than this.
        case tooLarge(maximum: Double)
        /// It is no list of whole numbers.
        case notNumbers
        /// It is none of the choices.
        case notAChoice
        /// It is no JSON.
        case notJSON
        /// The device's schema does not allow it; this is why.
        case refused(String)
    }

    /// The name of the argument.
    public let name: String
    /// How it is asked for.
    public let kind: Kind
    /// Whether the command needs it.
    public let isRequired: Bool
    /// Values that a number takes beside its limits, each also by its name.
    public let presets: [ArgumentSchema.Preset]
    /// What was entered; a field that may stay empty has no value where this is empty.
    public var text = ""
    /// What is wrong with it; `nil` for nothing.
    public internal(set) var problem: Problem?

    /// The unit of a number; `nil` where it has none.
    public var unit: SignalUnit? {
        if case .number = kind { SignalUnit(ofSignal: name) } else { nil }
    }

    init(
        name: String, kind: Kind, isRequired: Bool, presets: [ArgumentSchema.Preset] = []
    ) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.presets = presets
    }

    /// What was entered, as a value; `nil` for nothing.
    func value() throws(Problem) -> JSONValue? {
        guard !text.isEmpty else {
            if isRequired { throw .missing }
            return nil
        }
        switch kind {
        case .choice(let values):
            guard let value = try? JSONReader.read(Array(text.utf8)), values.contains(value) else {
                throw .notAChoice
            }
            return value
        case .choices(let values):
            guard let chosen = chosen, chosen.allSatisfy(values.contains) else {
                throw .notAChoice
            }
            return .array(chosen)
        case .boolean:
            guard text == "true" || text == "false" else { throw .notAChoice }
            return .boolean(text == "true")
        case .number(let minimum, let maximum, let isWhole):
            if let preset { return preset }
            return .number(try number(minimum, maximum, isWhole))
        case .text: return .string(text)
        case .numbers: return .array(try numbers())
        case .json:
            guard let value = try? JSONReader.read(Array(text.utf8)),
                name != CommandForm.anything || value.object != nil
            else { throw .notJSON }
            return value
        }
    }

    /// How a value is entered.
    func text(of value: JSONValue) -> String {
        switch kind {
        case .text: value.string ?? ""
        case .numbers:
            (value.array ?? []).compactMap(\.number).map { "\(Int($0))" }.joined(separator: ", ")
        case .choice, .choices, .boolean, .number, .json:
            String(decoding: JSONWriter.write(value), as: UTF8.self)
        }
    }

    /// The values of a list that was entered; `nil` where the text is none.
    private var chosen: [JSONValue]? { (try? JSONReader.read(Array(text.utf8)))?.array }

    /// Whether a value is one of those that were chosen.
    public func isChosen(_ value: JSONValue) -> Bool { chosen?.contains(value) == true }

    /// The value of the preset that was entered, by its name or as it is; `nil` where it is none.
    private var preset: JSONValue? {
        let number = Double(text).map(JSONValue.number)
        return presets.first { $0.name == text || $0.value == number }?.value
    }

    private func number(
        _ minimum: Double?, _ maximum: Double?, _ isWhole: Bool
    ) throws(Problem) -> Double {
        guard let number = Double(text.filter { $0 != " " }), number.isFinite else {
            throw .notANumber
        }
        if isWhole, number.rounded() != number { throw .notWhole }
        if let minimum, number < minimum { throw .tooSmall(minimum: minimum) }
        if let maximum, number > maximum { throw .tooLarge(maximum: maximum) }
        return number
    }

    private func numbers() throws(Problem) -> [JSONValue] {
        let parts = text.split { ", ，、".contains($0) }.map { Int($0) }
        let numbers = parts.compactMap(\.self)
        guard numbers.count == parts.count, !numbers.isEmpty else { throw .notNumbers }
        return numbers.map { .number(Double($0)) }
    }
}

extension CommandField.Kind {
    /// How a value of a schema is asked for.
    init(_ schema: ArgumentSchema) {
        if let allowed = schema.allowed {
            self = .choice(allowed)
            return
        }
        switch schema.type {
        case .boolean: self = .boolean
        case .integer, .number:
            self = .number(
                minimum: schema.minimum, maximum: schema.maximum, isWhole: schema.type == .integer)
        case .string: self = .text(isSecret: schema.isWriteOnly)
        case .array:
            if let allowed = schema.items?.allowed {
                self = .choices(allowed)
            } else {
                self = schema.items?.type == .integer ? .numbers : .json
            }
        case .object, .null, nil: self = .json
        }
    }
}
