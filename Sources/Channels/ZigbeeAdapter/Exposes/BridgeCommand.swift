internal import DeviceDomain

/// A command of a Zigbee device: its specification, its `/set` payload, and how its effect is confirmed.
struct BridgeCommand: Hashable, Sendable {
    /// The value to set.
    enum Value: Hashable, Sendable {
        /// A constant.
        case fixed(JSONValue)
        /// The command's argument of this name.
        case argument(String)
        /// The command's arguments as an object.
        case arguments

        /// What is set in the state.
        func target(_ property: String) -> StateTarget {
            switch self {
            case .fixed(let value): StateTarget(member: property, value: value)
            case .argument, .arguments: StateTarget(member: property)
            }
        }
    }

    /// Its specification for users.
    let specification: CommandSpecification
    /// The member of the device's state that it sets.
    let property: String
    /// The property without its endpoint, as in the bridge's log.
    let attribute: String
    /// What is set.
    let value: Value
    /// How its effect shows; `nil` if no published state shows it.
    let proof: EffectProof?

    /// The payload of `/set`.
    /// - Returns: `nil` if an argument is missing.
    func payload(_ arguments: JSONObject) -> JSONObject? {
        asked(arguments).map { [property: $0] }
    }

    /// The value that the device reports after the command.
    func expectation(_ arguments: JSONObject) -> Expectation? {
        guard let proof, let value = proof.target ?? asked(arguments) else { return nil }
        return Expectation(proof: proof, value: value)
    }

    private func asked(_ arguments: JSONObject) -> JSONValue? {
        let schema = specification.arguments ?? ArgumentSchema()
        let arguments = schema.replacingPresetNames(in: .object(arguments))
        return switch value {
        case .fixed(let value): value
        case .argument(let name): arguments.object?[name]
        case .arguments: arguments
        }
    }
}

/// How the effect of a command shows in a device's state.
struct EffectProof: Hashable, Sendable {
    /// The member of the state.
    let property: String
    /// The payload of `/get` for it; `nil` if the device cannot be queried, so that only the bridge's word
    /// is to be had.
    let question: JSONValue?
    /// How close the reported value must be.
    let tolerance: Tolerance
    /// The value that must be reported; `nil` for the requested one.
    var target: JSONValue?
    /// Whether the effect takes long, as with blinds.
    var isSlow = false

    /// The proof by a feature; `nil` if no published state shows it.
    init?(_ feature: ExposedFeature) {
        guard feature.isReported else { return nil }
        property = feature.property
        tolerance = Tolerance(feature)
        guard feature.isReadable else {
            question = nil
            return
        }
        if case .composite(let members) = feature.form {
            let questions = members.map { ($0.property, JSONValue.string("")) }
            question = .object(Dictionary(questions) { first, _ in first })
        } else {
            question = ""
        }
    }

    /// The same proof of another value.
    func of(_ target: JSONValue?, isSlow: Bool = false) -> EffectProof {
        var proof = self
        proof.target = target
        proof.isSlow = isSlow
        return proof
    }
}

/// What a device must report for a command to have had its effect.
struct Expectation: Hashable, Sendable {
    let proof: EffectProof
    /// The value of the member ``EffectProof/property``.
    let value: JSONValue

    /// The payload of `/get`; `nil` if the device cannot be queried.
    var question: JSONObject? { proof.question.map { [proof.property: $0] } }

    /// The value of the member in a message of the device; `nil` if the member is missing.
    func answer(in members: JSONObject) -> JSONValue? { members[proof.property] }

    /// Whether a value is the expected one.
    func isMet(by reported: JSONValue) -> Bool {
        proof.tolerance.accepts(reported, asked: value)
    }
}
