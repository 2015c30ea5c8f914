internal import DeviceDomain

/// How much a reported value may differ from the requested one and still count as equal, because devices
/// store numbers in their own steps.
struct Tolerance: Hashable, Sendable {
    /// For the value itself, if it is a number.
    let own: Double
    /// For the members of an object.
    let members: [String: Tolerance]

    static let exact = Tolerance(own: 0, members: [:])

    /// - Parameters:
    ///   - own: for the value itself.
    ///   - members: for the members of an object.
    init(own: Double, members: [String: Tolerance]) {
        self.own = own
        self.members = members
    }

    /// The tolerance of a feature's values: half of its step; without one 1 for the features that
    /// every bulb and blind keeps in one byte or as whole mireds, 0.01 for the coordinates of a
    /// colour, 2 degrees for its hue (254 steps), 1 % for its saturation; else none.
    init(_ feature: ExposedFeature) {
        switch feature.form {
        case .numeric(_, _, let step?, _): self.init(own: abs(step) / 2, members: [:])
        case .numeric: self.init(own: Self.usual[feature.name] ?? 0, members: [:])
        case .composite(let features):
            let members = features.map { ($0.property, Tolerance($0)) }
            self.init(own: 0, members: Dictionary(members) { first, _ in first })
        case .binary, .choice, .text, .list: self = .exact
        }
    }

    private static let usual: [String: Double] = [
        "brightness": 1, "color_temp": 1, "position": 1, "tilt": 1,
        "x": 0.01, "y": 0.01, "hue": 2, "saturation": 1,
    ]

    /// Whether a reported value equals the requested one. Members that were not requested are ignored.
    func accepts(_ reported: JSONValue, asked: JSONValue) -> Bool {
        switch (reported, asked) {
        case (.number(let reported), .number(let asked)):
            // A little more, because a half step may not be exact in binary.
            abs(reported - asked) <= own + 1e-9
        case (.object(let reported), .object(let asked)):
            asked.allSatisfy { name, value in
                guard let answer = reported[name] else { return false }
                return (members[name] ?? .exact).accepts(answer, asked: value)
            }
        default: reported == asked
        }
    }
}
