import ArgumentParser
import Homeport

/// One `--set key=value` of the command line.
struct ArgumentAssignment: Hashable, Sendable {
    /// The argument's name.
    let name: String
    /// Its value: JSON where the text parses as JSON, else the text itself.
    let value: JSONValue

    /// Reads `key=value`.
    /// - Throws: `ValidationError` where there is no `=` or no key.
    init(_ text: String) throws(ValidationError) {
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
            throw ValidationError("write key=value, as in --set level=max")
        }
        name = String(text[..<sign])
        value = Self.value(of: text[text.index(after: sign)...])
    }

    private static func value(of text: Substring) -> JSONValue {
        do {
            return try JSONReader.read(Array(text.utf8))
        } catch {
            return .string(String(text))
        }
    }

    /// The arguments of a command.
    /// - Throws: `ValidationError` where one name is set twice.
    static func arguments(
        _ assignments: [ArgumentAssignment]
    ) throws(ValidationError) -> JSONObject {
        var arguments: JSONObject = [:]
        for assignment in assignments {
            let former = arguments.updateValue(assignment.value, forKey: assignment.name)
            guard former == nil else {
                throw ValidationError("--set gives \(assignment.name) twice; give it once")
            }
        }
        return arguments
    }
}
