public import DeviceDomain
internal import YAMLText

/// A context of a configuration file: a name for what options say otherwise.
///
/// ```yaml
/// context: villa
/// contexts:
///   villa: {home: villa, broker: "mqtts://broker.example"}
///   workshop: {home: home-1, broker: "mqtt://127.0.0.1:1883", database: workshop.sqlite}
/// ```
public struct ConfiguredContext: Hashable, Sendable {
    /// Its name: 1 to 64 ASCII letters, digits, `-`, `_` and `.`.
    public let name: String
    /// The home, if it names one.
    public let home: HomeID?
    /// The URL of the broker, or of the nodes of a cluster with commas between them, if it names one.
    public let broker: String?
    /// The controller, if it names one.
    public let controller: ControllerID?
    /// The ledger's file, if it names one.
    public let database: String?

    /// Reads a member of `contexts`.
    init(_ name: String, _ key: YAMLNode, _ node: YAMLNode) throws(YAMLProblem) {
        guard Self.isName(name) else {
            throw key.error(
                "\"\(name)\" is no name of a context: write 1 to 64 letters, digits, -, _ and .")
        }
        self.name = name
        let members = try node.members(["home", "broker", "controller", "database"])
        home = try members["home"].map { node throws(YAMLProblem) in try node.identifier() }
        broker = try members["broker"].map { node throws(YAMLProblem) in
            try node.brokerAddresses().clusterText
        }
        controller = try members["controller"].map { node throws(YAMLProblem) in
            try node.identifier()
        }
        database = try members["database"].map { node throws(YAMLProblem) in try node.database() }
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

extension ConfigurationFile {
    /// The context that is meant.
    /// - Parameter name: its name; `nil` for the one that the file says is in use.
    /// - Returns: `nil` where none is in use.
    /// - Throws: ``HomeError`` `configurationFile` for a name that the file does not have.
    public func context(_ name: String? = nil) throws(HomeError) -> ConfiguredContext? {
        guard let name = name ?? contextInUse else { return nil }
        guard let context = contexts.first(where: { $0.name == name }) else {
            let known = contexts.map(\.name).joined(separator: ", ")
            throw HomeError(
                .configurationFile,
                "the configuration file \(path) has no context \(name); "
                    + (known.isEmpty
                        ? "name some under contexts:, such as \(name): {home: home-1}"
                        : "its contexts are \(known)"))
        }
        return context
    }

    /// Writes into a file which of its contexts is in use. All else in it stays as it is.
    /// - Throws: ``HomeError`` `configurationFile` where the file is wrong, has no such context, or cannot be written.
    public static func useContext(_ name: String, inFileAt path: String) throws(HomeError) {
        let file = TextFile(path: path, for: "configuration")
        let text = try HomeError.ofConfiguration { () throws(UnreadableTextFile) in try file.text()
        }
        _ = try ConfigurationFile(text, path: path).context(name)
        let changed = Self.text(text, using: name)
        guard
            case .success(let configuration) = Result(catching: {
                try ConfigurationFile(changed, path: path)
            }), configuration.contextInUse == name
        else {
            throw HomeError(
                .configurationFile,
                "\(path) has no line that begins with contexts:, before which context: \(name) could "
                    + "stand, or says context: in another way; write it yourself")
        }
        if changed != text {
            try HomeError.ofConfiguration { () throws(UnreadableTextFile) in
                try file.replace(with: changed)
            }
        }
    }

    /// The text of a file that says that a context is in use.
    static func text(_ text: String, using name: String) -> String {
        // By scalars: in a Character the ends of some systems' lines are one with the newline.
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0) }
        let line = "context: \(name)"
        if let place = lines.firstIndex(where: { isMember("context", $0) }) {
            let former = lines[place]
            let remark = former.firstRange(of: " #").map { former[$0.lowerBound...] }
            lines[place] = line + (remark ?? (former.hasSuffix("\r") ? "\r" : ""))
            removeValue(below: place, in: &lines)
        } else if let place = lines.firstIndex(where: { isMember("contexts", $0) }) {
            lines.insert(line, at: place)
        }
        return lines.joined(separator: "\n")
    }

    /// Whether a line is where a member begins, whose name may be in quotes.
    private static func isMember(_ name: String, _ line: String) -> Bool {
        [name, "\"\(name)\"", "'\(name)'"].contains { written in
            line.hasPrefix(written)
                && line.dropFirst(written.count).drop { $0 == " " }.hasPrefix(":")
        }
    }

    /// Removes what belongs to the value of a member in the lines behind it: what is indented.
    private static func removeValue(below place: Int, in lines: inout [String]) {
        let rest = lines[(place + 1)...]
        let end =
            rest.firstIndex { $0.first.map { !$0.isWhitespace } ?? false } ?? rest.endIndex
        let kept = rest[..<end].filter { line in
            line.allSatisfy(\.isWhitespace) || line.drop(while: \.isWhitespace).hasPrefix("#")
        }
        lines.replaceSubrange(rest.startIndex..<end, with: kept)
    }
}

extension YAMLNode {
    /// Where a ledger is: the URL of a database, or the path of a file, looked for beside this one.
    func database() throws(YAMLProblem) -> String {
        let named = try text()
        return LedgerLocation.isServer(named) ? named : try file()
    }
}
