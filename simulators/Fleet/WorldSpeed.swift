import DeviceDomain

/// How fast the world of a run goes.
package enum WorldSpeed: Hashable, Sendable {
    /// World seconds per second of the wall clock.
    case times(Double)
    /// As fast as the machine allows, without a broker.
    case max

    /// Reads a number from 0.01 to 1000, or `max`; `nil` for anything else.
    package init?(written text: String) {
        if text == "max" {
            self = .max
        } else if let factor = Double(text), (0.01...1000).contains(factor) {
            self = .times(factor)
        } else {
            return nil
        }
    }
}

extension WorldSpeed {
    /// As files and options have it: a number, or `max`.
    package var written: String {
        switch self {
        case .times(let factor): Int(exactly: factor).map { "\($0)" } ?? "\(factor)"
        case .max: "max"
        }
    }

    /// As a report has it.
    var json: JSONValue {
        switch self {
        case .times(let factor): .number(factor)
        case .max: .string("max")
        }
    }

    /// What a report says; `nil` for anything that is no speed.
    init?(json: JSONValue) {
        guard let text = json.string ?? json.number.map({ "\($0)" }) else { return nil }
        self.init(written: text)
    }
}
