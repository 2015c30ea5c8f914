package import DeviceDomain

// Faults as lines of a fleet.

extension PossibleFault {
    init(_ members: LineMembers) throws(LocalServicesError) {
        var parameters: [FaultParameter] = []
        for parameter in try members.objects("parameters") {
            parameters.append(try FaultParameter(parameter))
        }
        self.init(
            name: FaultName(rawValue: try members.text("fault")),
            kinds: try members.texts("kinds").map(DeviceKind.init),
            effect: try members.text("effect"), lasts: try members.boolean("lasts"),
            parameters: parameters)
    }

    /// As JSON.
    package var members: JSONObject {
        [
            "fault": .string(name.rawValue),
            "kinds": .array(kinds.map { .string($0.rawValue) }),
            "effect": .string(effect), "lasts": .boolean(lasts),
            "parameters": .array(parameters.map { .object($0.members) }),
        ]
    }
}

extension FaultParameter {
    fileprivate init(_ members: LineMembers) throws(LocalServicesError) {
        let (minimum, maximum) = (try members.number("minimum"), try members.number("maximum"))
        guard minimum <= maximum else {
            throw LocalServicesError(.malformed, "a parameter has a minimum above its maximum")
        }
        self.init(
            name: try members.text("name"), unit: try members.text("unit"),
            range: minimum...maximum, usual: try members.number("usual"))
    }

    fileprivate var members: JSONObject {
        [
            "name": .string(name), "unit": .string(unit), "minimum": .number(range.lowerBound),
            "maximum": .number(range.upperBound), "usual": .number(usual),
        ]
    }
}

extension PresentFault {
    init(_ members: LineMembers) throws(LocalServicesError) {
        self.init(
            name: FaultName(rawValue: try members.text("fault")),
            settings: try members.object("settings").compactMapValues(\.number),
            until: try members.timestamp("until"))
    }

    var members: JSONObject {
        var members: JSONObject = ["fault": .string(name.rawValue)]
        if !settings.isEmpty { members["settings"] = .object(settings.mapValues(JSONValue.number)) }
        if let until { members["until"] = .integer(until.milliseconds) }
        return members
    }
}
