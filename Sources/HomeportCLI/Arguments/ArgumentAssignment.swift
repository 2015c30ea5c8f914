import ArgumentParser
import Homeport

/// One argument of a command as it is typed: `key=value`.
struct ArgumentAssignment: Hashable, Sendable {
    /// The argument's name.
    let name: String
    /// Its value: JSON where the text parses as JSON, else the text itself.
    let value: JSONValue
    /// Bytes of the value as it was typed.
    let size: Int

    /// Reads `key=value`.
    /// - Throws: `ValidationError` where there is no `=` or no key.
    init(_ text: String) throws(ValidationError) {
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
            throw ValidationError("write key=value, as in level=max")
        }
        let typed = text[text.index(after: sign)...]
        name = String(text[..<sign])
        value = Self.value(of: typed)
        size = typed.utf8.count
    }

    private static func value(of text: Substring) -> JSONValue {
        do {
            return try JSONReader.read(Array(text.utf8))
        } catch {
            return .string(String(text))
        }
    }

    /// The arguments of a command.
    /// - Throws: ``Failure`` with ``VerbStatus/usage`` where one name is given twice, with
    ///   ``VerbStatus/wrongInput`` for a value that no message has room for.
    static func arguments(_ assignments: [ArgumentAssignment]) throws(Failure) -> JSONObject {
        var arguments: JSONObject = [:]
        for assignment in assignments {
            guard assignment.size <= JSONLimits.wire.bytes else {
                throw Failure(
                    .wrongInput,
                    "the value of \(assignment.name) has \(assignment.size) bytes, and a whole "
                        + "command may have at most \(JSONLimits.wire.bytes); shorten it")
            }
            let former = arguments.updateValue(assignment.value, forKey: assignment.name)
            guard former == nil else {
                throw .usage(
                    "\(assignment.name) is given twice; give it once, as \(assignment.name)=value "
                        + "or with --set")
            }
        }
        return arguments
    }
}
