import Homeport
import TerminalOutput

/// The contexts of a configuration file, as `context list` prints them.
enum ContextsRenderer {
    /// The columns of the list.
    static let columns: [TextTable.Column] = [
        .init("CONTEXT", .cut(minimum: 10)), .init("IN USE"), .init("HOME", .cut(minimum: 8)),
        .init("BROKER", .cut(minimum: 20)), .init("CONTROLLER", .cut(minimum: 8), omission: 1),
        .init("LEDGER", .cut(minimum: 12), omission: 2),
    ]

    /// The contexts, in the order of the file.
    /// - Parameter used: the one that calls mean which name none.
    static func listing(of contexts: [ConfiguredContext], using used: String?) -> Listing {
        Listing(
            columns,
            contexts.map { context in
                let isUsed = context.name == used
                return Listing.Row(context.name) {
                    [
                        .init(context.name), isUsed ? .init("yes") : .absent,
                        cell(context.home?.text), cell(context.broker),
                        cell(context.controller?.text), cell(context.database),
                    ]
                } object: {
                    var line = JSONLine()
                    line.add("name", context.name)
                    line.add("inUse", .boolean(isUsed))
                    line.add("home", context.home?.text)
                    line.add("broker", context.broker)
                    line.add("controller", context.controller?.text)
                    line.add("database", context.database)
                    return line
                }
            })
    }

    private static func cell(_ text: String?) -> TextTable.Cell {
        text.map { .init($0) } ?? .absent
    }
}
