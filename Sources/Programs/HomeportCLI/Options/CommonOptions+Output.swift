import Logging

extension CommonOptions {
    /// The form of the results.
    var format: OutputFormat { json ? .json : .human }

    /// The libraries' log: on stderr with `--verbose`, else nowhere.
    var logger: Logger {
        guard verbose else { return Logger(label: "homeport") { _ in SwiftLogNoOpLogHandler() } }
        var logger = Logger(label: "homeport") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .debug
        return logger
    }
}

/// The form of the results on stdout.
enum OutputFormat: Hashable, Sendable {
    /// Tables and sentences for people.
    case human
    /// One JSON object per line.
    case json
}
