package import DeviceDomain
internal import Yams

/// A part of a YAML text with its position, for error messages.
package struct YAMLNode {
    private let node: Node
    private let path: String

    init(node: Node, path: String) {
        self.node = node
        self.path = path
    }

    /// An error: file, line and column, and what is wrong.
    package func error(_ message: String) -> YAMLProblem {
        YAMLProblem(
            path: path, line: node.mark?.line, column: node.mark?.column, message: message)
    }

    // MARK: Mappings

    /// The members of a mapping; one that is not `known` is refused.
    package func members(_ known: [String]) throws(YAMLProblem) -> [String: YAMLNode] {
        try members(known) { problem throws(YAMLProblem) in throw problem }
    }

    /// The members of a mapping that are `known`.
    /// - Parameter refused: gets the error of each other one.
    /// - Throws: ``YAMLProblem`` where this is no mapping, and what `refused` throws.
    package func members(
        _ known: [String], refused: (YAMLProblem) throws(YAMLProblem) -> Void
    ) throws(YAMLProblem) -> [String: YAMLNode] {
        guard node.mapping != nil else {
            throw error(
                "this must be a mapping with some of these members: "
                    + known.joined(separator: ", "))
        }
        var members: [String: YAMLNode] = [:]
        for (name, key, value) in try entries() {
            if known.contains(name) {
                members[name] = value
            } else {
                try refused(
                    key.error("there is no member \(name)\(Self.remedy(name, "members", known))"))
            }
        }
        return members
    }

    /// The members of a mapping of any names, in their order, each with its name as a node.
    /// - Throws: ``YAMLProblem`` where this is no mapping, or a name is no text.
    package func entries() throws(YAMLProblem) -> [(name: String, key: YAMLNode, value: YAMLNode)] {
        guard let mapping = node.mapping else { throw error("this must be a mapping") }
        var entries: [(name: String, key: YAMLNode, value: YAMLNode)] = []
        for (key, value) in mapping {
            let key = YAMLNode(node: key, path: path)
            guard let name = key.node.scalar?.string else {
                throw key.error("there is no member of this kind; a member's name is a text")
            }
            entries.append((name, key, YAMLNode(node: value, path: path)))
        }
        return entries
    }

    /// One member of a mapping, whatever the others are; `nil` where there is none.
    package func member(_ name: String) -> YAMLNode? {
        node.mapping?.first { $0.key.scalar?.string == name }
            .map { YAMLNode(node: $0.value, path: path) }
    }

    /// A member that must be there.
    package func required(
        _ name: String, of members: [String: YAMLNode]
    ) throws(YAMLProblem) -> YAMLNode {
        guard let member = members[name] else { throw error("\(name) is missing; add it") }
        return member
    }

    // MARK: Lists

    /// Whether this is a list.
    package var isList: Bool { node.sequence != nil }

    /// Whether this is a mapping.
    package var isMapping: Bool { node.mapping != nil }

    /// The items of a list.
    package func items() throws(YAMLProblem) -> [YAMLNode] {
        guard let sequence = node.sequence else {
            throw error("this must be a list: write each item behind a hyphen, or all in brackets")
        }
        return sequence.map { YAMLNode(node: $0, path: path) }
    }

    // MARK: Texts

    /// A text or number as it is written.
    package func text() throws(YAMLProblem) -> String {
        guard let text = node.scalar?.string, !text.isEmpty else {
            throw error("this must be a text, not empty and not a list")
        }
        return text
    }

    /// A text without quotes, which may stand for a number or a truth value; `nil` for all else.
    package var plainText: String? {
        guard let scalar = node.scalar else { return nil }
        switch scalar.style {
        case .any, .plain: return scalar.string
        case .singleQuoted, .doubleQuoted, .literal, .folded: return nil
        }
    }

    /// A text that may be empty; `nil` for a list or mapping.
    package var anyText: String? { node.scalar?.string }

    /// One of a few texts.
    /// - Parameter noun: what they are, in the plural.
    package func choice(_ noun: String, of known: [String]) throws(YAMLProblem) -> String {
        let typed = try text()
        guard known.contains(typed) else {
            throw error("\(typed) is not one of the \(noun)\(Self.remedy(typed, noun, known))")
        }
        return typed
    }

    /// An identifier of the protocol.
    package func identifier<Role>() throws(YAMLProblem) -> Identifier<Role> {
        try value { text throws(InvalidIdentifier) in try Identifier(text) }
    }

    /// What a text stands for.
    /// - Parameter describing: an error in words.
    package func value<Value, Failure: Error>(
        describing: (Failure) -> String = { "\($0)" }, _ read: (String) throws(Failure) -> Value
    ) throws(YAMLProblem) -> Value {
        let text = try text()
        do {
            return try read(text)
        } catch {
            throw self.error(describing(error))
        }
    }

    /// The path of a file, looked for beside this one.
    package func file() throws(YAMLProblem) -> String {
        let named = try text()
        guard !named.hasPrefix("/"), let end = path.lastIndex(of: "/") else { return named }
        return path[...end] + named
    }

    private static func remedy(_ typed: String, _ noun: String, _ known: [String]) -> String {
        let question = Suggestion.question(about: typed, among: known)
        return question.isEmpty
            ? "; the \(noun) are \(known.joined(separator: ", "))" : question
    }
}
