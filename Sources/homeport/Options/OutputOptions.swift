import ArgumentParser

/// How results are printed.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON object per line on stdout and nothing else.")
    var json = false

    @Flag(help: "Tell on stderr what happens on the way.")
    var verbose = false

    /// The form of the results.
    var format: OutputFormat { json ? .json : .human }
}

/// The form of the results on stdout.
enum OutputFormat: Hashable, Sendable {
    /// Tables and sentences for people.
    case human
    /// One JSON object per line.
    case json
}
