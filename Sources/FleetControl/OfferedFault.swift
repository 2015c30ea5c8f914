package import DeviceDomain

/// A fault that a fleet can let happen to its devices.
package struct OfferedFault: Hashable, Sendable {
    /// Its name.
    package let fault: String
    /// The kinds of devices that can have it, such as `sweeping-robot`.
    package let kinds: [String]
    /// What it does, in English words.
    package let effect: String
    /// Whether it lasts, or is over once it has happened.
    package let lasts: Bool
    /// The numbers that say how severe it is.
    package let parameters: [OfferedParameter]

    package init(
        fault: String, kinds: [String], effect: String, lasts: Bool, parameters: [OfferedParameter]
    ) {
        self.fault = fault
        self.kinds = kinds
        self.effect = effect
        self.lasts = lasts
        self.parameters = parameters
    }

    init(_ members: ControlMembers) throws(ControlError) {
        var parameters: [OfferedParameter] = []
        for parameter in try members.objects("parameters") {
            parameters.append(try OfferedParameter(parameter))
        }
        self.init(
            fault: try members.text("fault"), kinds: try members.texts("kinds"),
            effect: try members.text("effect"), lasts: try members.boolean("lasts"),
            parameters: parameters)
    }

    /// As JSON.
    package var members: JSONObject {
        [
            "fault": .string(fault), "kinds": .array(kinds.map(JSONValue.string)),
            "effect": .string(effect), "lasts": .boolean(lasts),
            "parameters": .array(parameters.map { .object($0.members) }),
        ]
    }
}

/// A number that says how severe a fault is.
package struct OfferedParameter: Hashable, Sendable {
    /// Its name, with the unit.
    package let name: String
    /// The unit, as people write it.
    package let unit: String
    /// The values that it may have, in that unit.
    package let range: ClosedRange<Double>
    /// The value where none is given.
    package let usual: Double

    package init(name: String, unit: String, range: ClosedRange<Double>, usual: Double) {
        self.name = name
        self.unit = unit
        self.range = range
        self.usual = usual
    }

    init(_ members: ControlMembers) throws(ControlError) {
        let (minimum, maximum) = (try members.number("minimum"), try members.number("maximum"))
        guard minimum <= maximum else {
            throw ControlError("a parameter has a minimum above its maximum")
        }
        self.init(
            name: try members.text("name"), unit: try members.text("unit"),
            range: minimum...maximum, usual: try members.number("usual"))
    }

    var members: JSONObject {
        [
            "name": .string(name), "unit": .string(unit), "minimum": .number(range.lowerBound),
            "maximum": .number(range.upperBound), "usual": .number(usual),
        ]
    }
}
