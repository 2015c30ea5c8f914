import ArgumentParser
import Homeport

/// One argument of a command as it is typed: `key=value`.
struct ArgumentAssignment: Hashable, Sendable {
    /// The argument's name.
    let name: String
    /// Its value as it was typed; what it means is decided by the device's description.
    let text: String

    /// Reads `key=value`.
    /// - Throws: `ValidationError` where there is no `=` or no key.
    init(_ assignment: String) throws(ValidationError) {
        guard let sign = assignment.firstIndex(of: "="), sign != assignment.startIndex else {
            throw ValidationError("write key=value, as in level=max")
        }
        name = String(assignment[..<sign])
        text = String(assignment[assignment.index(after: sign)...])
    }

    /// The arguments of a command.
    /// - Throws: ``CommandLineError`` with ``VerbStatus/usage`` where one name is given twice, with
    ///   ``VerbStatus/wrongInput`` for a value that no message has room for.
    static func arguments(_ assignments: [ArgumentAssignment]) throws(CommandLineError)
        -> TypedArguments
    {
        var arguments = TypedArguments()
        for assignment in assignments {
            let size = assignment.text.utf8.count
            guard size <= JSONLimits.wire.bytes else {
                throw CommandLineError(
                    .wrongInput,
                    "the value of \(assignment.name) has \(size) bytes, and a whole "
                        + "command may have at most \(JSONLimits.wire.bytes); shorten it")
            }
            let former = arguments.texts.updateValue(
                assignment.text, forKey: assignment.name)
            guard former == nil else {
                throw .usage(
                    "\(assignment.name) is given twice; give it once, as \(assignment.name)=value "
                        + "or with --set")
            }
        }
        return arguments
    }
}
