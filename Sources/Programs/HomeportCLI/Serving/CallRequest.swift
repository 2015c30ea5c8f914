import Homeport
import LocalServices
import TerminalOutput

/// What a call asks of a server: one line of JSON.
struct CallRequest: Sendable {
    /// A longer one is not sent, in bytes.
    static let limit = 128 << 10

    /// The command line without the program.
    let words: [String]
    /// Where they were written.
    let place: CallPlace
    /// What the caller's streams are.
    let screen: TerminalCapabilities

    init(words: [String], at place: CallPlace, screen: TerminalCapabilities) {
        self.words = words
        self.place = place
        self.screen = screen
    }

    /// Reads a line without its end.
    /// - Throws: ``LocalServicesError`` where it is no request.
    init(line: [UInt8]) throws(LocalServicesError) {
        let members = try LineMembers(line, limits: JSONLimits(bytes: Self.limit, depth: 4))
        words = try members.texts("words")
        place = CallPlace(members.allTexts)
        var size: TerminalSize?
        if let columns = try members.integer("columns"), let rows = try members.integer("rows") {
            size = TerminalSize(columns: columns, rows: rows)
        }
        let remarkColumns = try members.integer("remarkColumns")
        screen = TerminalCapabilities(
            remarksAreSeen: try members.boolean("remarksAreSeen"),
            movesCursor: try members.boolean("movesCursor"),
            usesColour: try members.boolean("usesColour"), size: { [size] in size },
            remarkColumns: { remarkColumns })
    }

    /// The line, without its end.
    var line: [UInt8] {
        var members = place.texts.mapValues(JSONValue.string)
        members["words"] = .array(words.map(JSONValue.string))
        members["remarksAreSeen"] = .boolean(screen.remarksAreSeen)
        members["movesCursor"] = .boolean(screen.movesCursor)
        members["usesColour"] = .boolean(screen.usesColour)
        if let size = screen.size() {
            members["columns"] = .integer(size.columns)
            members["rows"] = .integer(size.rows)
        }
        if let columns = screen.remarkColumns() { members["remarkColumns"] = .integer(columns) }
        return JSONWriter.write(.object(members))
    }
}
