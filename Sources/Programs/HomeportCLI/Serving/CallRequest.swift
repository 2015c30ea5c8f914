import Homeport
import TerminalOutput

/// What a call asks of a server: one line of JSON.
struct CallRequest: Sendable {
    /// A longer one is not sent.
    static let limit = 128 << 10

    /// The command line without the program.
    let words: [String]
    /// What the caller's streams are.
    let screen: Screen

    init(words: [String], screen: Screen) {
        self.words = words
        self.screen = screen
    }

    /// Reads a line; `nil` where it is no request.
    init?(_ line: [UInt8]) {
        let limits = JSONLimits(bytes: Self.limit, depth: 4)
        guard let members = try? JSONReader.read(line, limits: limits).object,
            let words = members["words"]?.array?.compactMap(\.string),
            words.count == members["words"]?.array?.count
        else { return nil }
        self.words = words
        let size: TerminalSize? =
            if let columns = members["columns"]?.integer, let rows = members["rows"]?.integer {
                TerminalSize(columns: columns, rows: rows)
            } else { nil }
        let remarkColumns = members["remarkColumns"]?.integer
        screen = Screen(
            remarksAreSeen: members["remarksAreSeen"] == true,
            movesCursor: members["movesCursor"] == true,
            usesColour: members["usesColour"] == true, size: { size },
            remarkColumns: { remarkColumns })
    }

    /// The line, with its end.
    var line: [UInt8] {
        var members: JSONObject = [
            "words": .array(words.map(JSONValue.string)),
            "remarksAreSeen": .boolean(screen.remarksAreSeen),
            "movesCursor": .boolean(screen.movesCursor), "usesColour": .boolean(screen.usesColour),
        ]
        if let size = screen.size() {
            members["columns"] = .integer(size.columns)
            members["rows"] = .integer(size.rows)
        }
        if let columns = screen.remarkColumns() { members["remarkColumns"] = .integer(columns) }
        return JSONWriter.write(.object(members)) + [UInt8(ascii: "\n")]
    }
}
