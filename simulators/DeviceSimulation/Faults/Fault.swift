package import DeviceDomain

/// A fault as it happens to a device: its name, and how severe it is.
package struct Fault: Hashable, Sendable {
    /// What it is.
    package let name: SimulatedFault
    /// The parameters that were given, in their units.
    package let settings: [String: Double]

    /// A fault with its usual parameters, except those that are given.
    /// - Throws: ``FaultRefusal`` for a parameter that the fault does not have, or out of its range.
    package init(_ name: SimulatedFault, setting given: JSONObject = [:]) throws(FaultRefusal) {
        let specification = name.specification
        var settings: [String: Double] = [:]
        for (key, value) in given.sorted(by: { $0.key < $1.key }) {
            settings[key] = try specification.value(of: key, value)
        }
        self.name = name
        self.settings = settings
    }

    /// The value of a parameter.
    func value(of parameter: FaultParameter) -> Double {
        settings[parameter.name] ?? parameter.usual
    }

    /// How late acks leave.
    var delay: Duration { .milliseconds(Int(value(of: .delayMs))) }

    /// How likely it is that a message is hit, 0…1; always for a fault that does not say.
    var chance: Double {
        guard
            let parameter = name.specification.parameters.first(where: {
                $0.name == FaultParameter.percent(usually: 100).name
            })
        else { return 1 }
        return value(of: parameter) / 100
    }
}

/// A fault that cannot be injected; the description says why, and what to do.
package struct FaultRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension SimulatedFault {
    /// Reads a fault's name.
    /// - Throws: ``FaultRefusal`` with the name that may have been meant.
    package init(text: String) throws(FaultRefusal) {
        guard let name = SimulatedFault(rawValue: text) else {
            let names = SimulatedFault.allCases.map(\.rawValue)
            let advice = Self.advice(about: text) ?? Suggestion.question(about: text, among: names)
            throw FaultRefusal(
                "there is no fault \(text.debugDescription)\(advice)"
                    + "; faults are \(names.joined(separator: ", "))")
        }
        self = name
    }

    /// What other words for what happens to a device mean here, by what they begin with.
    private static let otherWords: [(beginning: String, advice: String)] = [
        ("wifi", wirelessAdvice), ("wi-fi", wirelessAdvice), ("wlan", wirelessAdvice),
        ("network", wirelessAdvice), ("disconnect", wirelessAdvice),
        ("crash", "; write reboot, or battery-dead where it stays off"),
        ("restart", "; write reboot"),
        ("power", "; write grid-outage for a home, battery-dead for a robot"),
        ("delay", "; write slow for acknowledgements, latency for all messages"),
        ("packet-loss", "; write loss"),
        ("drop", "; write drop-acks for acknowledgements, loss for packets"),
        ("timeout", "; write mute, drop-acks or blackhole"),
    ]

    private static let wirelessAdvice =
        "; write offline where the device knows that it has no connection, blackhole where nobody notices"

    /// What a word may mean that names no fault; `nil` where that is not known.
    private static func advice(about text: String) -> String? {
        let text = text.lowercased()
        return otherWords.first { text.hasPrefix($0.beginning) }?.advice
    }
}

extension PossibleFault {
    fileprivate func value(of key: String, _ value: JSONValue) throws(FaultRefusal) -> Double {
        guard let parameter = parameters.first(where: { $0.name == key }) else {
            throw FaultRefusal(
                "\(name.rawValue) has no parameter \(key.debugDescription)\(advice(key))")
        }
        guard let number = value.number, parameter.range.contains(number) else {
            throw FaultRefusal("\(name.rawValue): write \(parameter.text)")
        }
        return number
    }

    private func advice(_ key: String) -> String {
        guard !parameters.isEmpty else { return "; it has none" }
        return Suggestion.question(about: key, among: parameters.map(\.name))
            + "; it takes " + parameters.map(\.text).joined(separator: ", ")
    }
}
