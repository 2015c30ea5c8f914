internal import YAMLText

/// How the user of a configuration file wants to be told what rules have to say.
public struct ConfiguredNotifications: Hashable, Sendable {
    /// How many leave in an hour, where nothing else is said.
    public static let usualMostPerHour = 20

    /// A program and its first arguments; the text is its last one.
    public var command: [String]?
    /// `https://…`, where each is posted as JSON.
    public var url: String?
    /// How many leave in an hour; the others are dropped.
    public var mostPerHour: Int

    public init(
        command: [String]? = nil, url: String? = nil, mostPerHour: Int = usualMostPerHour
    ) {
        self.command = command
        self.url = url
        self.mostPerHour = mostPerHour
    }

    /// Reads the members `notify-command`, `notify-url` and `notify-limit` of a configuration file.
    init(_ members: [String: YAMLNode]) throws(YAMLProblem) {
        command = try members["notify-command"].map { node throws(YAMLProblem) in
            try node.words()
        }
        url = try members["notify-url"].map { node throws(YAMLProblem) in try node.httpsAddress() }
        mostPerHour =
            try members["notify-limit"].map { node throws(YAMLProblem) in try node.count() }
            ?? Self.usualMostPerHour
    }
}

extension YAMLNode {
    /// A program, or a list of a program and its arguments.
    fileprivate func words() throws(YAMLProblem) -> [String] {
        guard isList else { return [try text()] }
        let words = try items().map { node throws(YAMLProblem) in try node.text() }
        guard !words.isEmpty else { throw error("this list is empty; write the program first") }
        return words
    }

    fileprivate func httpsAddress() throws(YAMLProblem) -> String {
        let address = try text()
        guard address.hasPrefix("https://"), address.count > "https://".count,
            address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw error("this must be an address with https://") }
        return address
    }

    fileprivate func count() throws(YAMLProblem) -> Int {
        guard let count = Int(try text()), (1...10_000).contains(count) else {
            throw error("this must be a whole number from 1 to 10000: how many leave in an hour")
        }
        return count
    }
}
