import ArgumentParser
import Homeport
import TerminalOutput

/// How a list is printed.
struct ListOptions: ParsableArguments {
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "The form: table, wide, name, json or yaml.",
            discussion: """
                wide has every column and exact times, name the names alone for other calls; json is --json.
                """,
            valueName: "form"),
        completion: .list(ListStyle.Form.allCases.map(\.rawValue)), transform: Parsing.listForm)
    var output: ListStyle.Form?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Sort by a column, the greatest first with - before it.", valueName: "column"),
        completion: .columns)
    var sort: String?

    @Option(
        help: ArgumentHelp(
            "Show these columns, with commas between them.", valueName: "columns"),
        completion: .columns)
    var columns: String?

    /// Whether anything was said.
    var isGiven: Bool { output != nil || sort != nil || columns != nil }

    /// The same for a list with these columns.
    /// - Throws: ``CommandLineError`` with ``VerbStatus/usage``.
    func style(
        _ common: CommonOptions, of all: [TextTable.Column]
    ) throws(CommandLineError) -> ListStyle {
        if common.json, let output, output != .json {
            throw .usage("--json is -o json: leave out --json or -o \(output.rawValue)")
        }
        do throws(ListStyleError) {
            return try ListStyle(
                common.json ? .json : output ?? .table, sortedBy: sort, columns: columns, of: all)
        } catch {
            throw .usage(error.message)
        }
    }
}

extension CommonOptions {
    /// The form of a list for which nothing else can be said.
    var listStyle: ListStyle { ListStyle(json ? .json : .table) }
}
