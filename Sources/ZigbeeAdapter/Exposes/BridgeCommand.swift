internal import DeviceDomain

/// A command of a Zigbee device: what it is, what `/set` says, and how its effect is proven.
struct BridgeCommand: Hashable, Sendable {
    /// What is set.
    enum Value: Hashable, Sendable {
        /// Always this.
        case fixed(JSONValue)
        /// The command's argument of this name.
        case argument(String)
        /// The command's arguments as an object.
        case arguments
    }

    /// What a user sees of it.
    let specification: CommandSpecification
    /// The member of the device's state that it sets.
    let property: String
    /// Without the endpoint, as the bridge's log names it.
    let attribute: String
    /// What is set.
    let value: Value
    /// How its effect is proven; `nil` where the device cannot be asked.
    let proof: EffectProof?

    /// What `/set` says.
    /// - Returns: `nil` if an argument is missing.
    func payload(_ arguments: JSONObject) -> JSONObject? {
        asked(arguments).map { [property: $0] }
    }

    /// What a device that has obeyed shows.
    func expectation(_ arguments: JSONObject) -> Expectation? {
        guard let proof, let value = proof.target ?? asked(arguments) else { return nil }
        return Expectation(proof: proof, value: value)
    }

    private func asked(_ arguments: JSONObject) -> JSONValue? {
        switch value {
        case .fixed(let value): value
        case .argument(let name): arguments[name]
        case .arguments: .object(arguments)
        }
    }
}

/// How the effect of a command is seen in a device's state.
struct EffectProof: Hashable, Sendable {
    /// The member of the state.
    let property: String
    /// What `/get` says for it.
    let question: JSONValue
    /// How near the reported value must be.
    let tolerance: Tolerance
    /// What must be reported; `nil` for what was asked for.
    var target: JSONValue?
    /// Whether the device takes its time, as blinds do.
    var isSlow = false

    /// The proof by a feature; `nil` if the device cannot be asked for it.
    init?(_ feature: ExposedFeature) {
        guard feature.isReadable else { return nil }
        property = feature.property
        tolerance = Tolerance(feature)
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

    /// What `/get` says.
    var question: JSONObject { [proof.property: proof.question] }

    /// The value that a message of the device has for it; `nil` if it says nothing of it.
    func answer(in members: JSONObject) -> JSONValue? { members[proof.property] }

    /// Whether a value is the one that is expected.
    func isMet(by reported: JSONValue) -> Bool {
        proof.tolerance.accepts(reported, asked: value)
    }
}
