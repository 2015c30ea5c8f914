/// The type of a value of a thing model, with the limits of its specs.
package indirect enum ThingType: Hashable, Sendable {
    /// 0 or 1 on the wire, true or false in Homeport.
    case boolean
    /// A number on the wire, a text in Homeport.
    case choice([ThingChoice])
    /// A whole number.
    case integer(minimum: Double?, maximum: Double?)
    /// A `float` or `double`, written with a decimal point; `step` is 0 where the model has none.
    case real(minimum: Double?, maximum: Double?, step: Double)
    /// A text; its length is counted in bytes of UTF-8.
    case text(longest: Int?)
    /// Milliseconds since 1970-01-01T00:00Z as a text of digits.
    case date
    /// Named values.
    case structure([ThingField])
    /// Values of one type, at most `most` of them.
    case list(of: ThingType, most: Int?)
}

/// A value of an enumeration.
package struct ThingChoice: Hashable, Sendable {
    /// The number on the wire.
    package let number: Int
    /// The text in Homeport: the one in the model, or the number where the model has none or has it twice.
    package let text: String

    package init(number: Int, text: String) {
        self.number = number
        self.text = text
    }
}

/// A named value: a member of a structure, an argument of a service, a detail of an event.
package struct ThingField: Hashable, Sendable {
    /// Its name on the wire.
    package let identifier: String
    /// Its name for people.
    package let name: String
    /// Its type.
    package let type: ThingType
    /// Whether a service must get it.
    package let isRequired: Bool

    package init(
        _ identifier: String, name: String = "", _ type: ThingType, isRequired: Bool = true
    ) {
        self.identifier = identifier
        self.name = name
        self.type = type
        self.isRequired = isRequired
    }
}
