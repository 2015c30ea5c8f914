internal import DeviceDomain

/// Names an attribute of a node, as `1/6/0`: endpoint, cluster, attribute.
struct AttributePath: Hashable, Sendable, CustomStringConvertible {
    let endpoint: Int
    let cluster: Int
    let attribute: Int

    init(_ endpoint: Int, _ cluster: Int, _ attribute: Int) {
        self.endpoint = endpoint
        self.cluster = cluster
        self.attribute = attribute
    }

    /// Reads a path; `nil` where the text is none.
    init?(_ text: some StringProtocol) {
        var numbers: [Int] = []
        var number: Int?
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "/"):
                guard let complete = number, numbers.count < 2 else { return nil }
                numbers.append(complete)
                number = nil
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let next = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
                guard next <= UInt32.max else { return nil }
                number = next
            default: return nil
            }
        }
        guard numbers.count == 2, let attribute = number, numbers[0] <= UInt16.max else {
            return nil
        }
        self.init(numbers[0], numbers[1], attribute)
    }

    var description: String { "\(endpoint)/\(cluster)/\(attribute)" }
}

extension JSONValue {
    /// The number of a node or an event: up to 2⁶⁴ − 1, which a double does not hold. The reader gives such a one as
    /// its digits.
    var unsignedNumber: UInt64? {
        switch self {
        case .number(let number): integer == nil ? nil : UInt64(exactly: number)
        case .string(let digits): UInt64(digits)
        case .null, .boolean, .array, .object: nil
        }
    }

    /// A member of a structure, which servers name by its tag, and sometimes by its name.
    func field(_ tag: Int, _ name: String) -> JSONValue? {
        guard let members = object else { return nil }
        return members[String(tag)] ?? members[name]
    }
}
