internal import Basics

/// Names and values of a form or a query, in their order (WHATWG URL,
/// `application/x-www-form-urlencoded`).
struct FormValues: Hashable, Sendable {
    /// How many are read of one form.
    static let limit = 512

    private(set) var pairs: [(name: String, value: String)] = []

    /// None.
    init() {}

    /// Reads the text of a form or query.
    init(_ text: String) {
        for part in text.utf8.split(separator: UInt8(ascii: "&")).prefix(Self.limit) {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let value =
                equals < part.endIndex ? part[part.index(after: equals)...] : part[equals...]
            pairs.append((Self.decoded(part[..<equals]), Self.decoded(value)))
        }
    }

    /// The first value of a name.
    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// Every value of a name, as of checkboxes that share one.
    func all(_ name: String) -> [String] {
        pairs.compactMap { $0.name == name ? $0.value : nil }
    }

    static func == (left: Self, right: Self) -> Bool {
        left.pairs.elementsEqual(right.pairs) { $0 == $1 }
    }

    func hash(into hasher: inout Hasher) {
        for pair in pairs {
            hasher.combine(pair.name)
            hasher.combine(pair.value)
        }
    }

    /// Names and values as the text of a query.
    static func encoded(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                String(UnicodeScalar(byte))
            default: "%" + [byte].hexadecimal.uppercased()
            }
        }.joined()
    }

    /// A `%` without two digits stands for itself; what is not UTF-8 becomes U+FFFD.
    private static func decoded(_ text: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = [UInt8](hexadecimal: String(Substring(rest.prefix(2))))?.first
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
