import ArgumentParser

/// The arguments of a command in the longer form.
struct ArgumentOptions: ParsableArguments {
    @Option(
        name: .customLong("set"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The same as key=value without --set; may be repeated.",
            discussion: "A value is JSON where the device takes that JSON, else a text.",
            valueName: "key=value"),
        completion: .wordsOfSend, transform: { try ArgumentAssignment($0) })
    var setAssignments: [ArgumentAssignment] = []
}
