internal import DeviceDomain
internal import DeviceMessages

/// The arguments of a command as somebody typed them, by their names.
///
/// What a text means is decided by the description of each device that gets the command: JSON where it parses
/// as JSON and the device takes that JSON, else the text itself. So `1234` is a number for one device and the
/// text of a PIN for another.
public struct TypedArguments: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// The text of each argument.
    public var texts: [String: String]

    public init(_ texts: [String: String] = [:]) { self.texts = texts }

    /// - Parameter elements: names and texts; of a name that comes twice the last text counts.
    public init(dictionaryLiteral elements: (String, String)...) {
        texts = Dictionary(elements) { $1 }
    }

    /// The values for a device.
    /// - Parameter schema: what the device declares; `nil` if it declares nothing.
    func values(by schema: ArgumentSchema?) -> JSONObject {
        texts.reduce(into: [:]) { values, argument in
            let schema = schema?.properties[argument.key] ?? ArgumentSchema()
            values[argument.key] = schema.value(typed: argument.value)
        }
    }
}

/// Arguments in either form in which a caller may give them.
enum GivenArguments: Sendable {
    /// As values.
    case values(JSONObject)
    /// As texts.
    case typed(TypedArguments)

    /// The values for a command of a device.
    func values(for name: CommandName, of profile: DeviceProfile?) -> JSONObject {
        switch self {
        case .values(let values): values
        case .typed(let typed): typed.values(by: profile?.specification(of: name)?.arguments)
        }
    }
}
