internal import DeviceDomain
internal import MQTTClient
internal import Yams

/// A YAML text that was parsed, and where it came from.
struct YAMLDocument {
    let root: YAMLNode

    init(_ text: String, path: String) throws(HomeError) {
        do {
            // Everything is read as text. Other resolvers tell types apart by regular expressions,
            // which need ICU (scripts/link-statically).
            guard let node = try compose(yaml: text, .basic) else {
                throw HomeError(
                    .configurationFile,
                    "\(path) is empty; write at least one of home, controller, database and "
                        + "channels, such as home: home-1")
            }
            root = YAMLNode(node: node, path: path)
        } catch let error as HomeError {
            throw error
        } catch let error as YamlError {
            throw HomeError(.configurationFile, "\(path)\(error.place): \(error.message)")
        } catch {
            throw HomeError(.configurationFile, "\(path): \(error)")
        }
    }
}

/// A part of a YAML text with its position, for error messages.
struct YAMLNode {
    let node: Node
    let path: String

    /// An error: file, line and column, and what is wrong.
    func error(_ message: String) -> HomeError {
        let place = node.mark.map { ":\($0.line):\($0.column)" } ?? ""
        return HomeError(.configurationFile, "\(path)\(place): \(message)")
    }

    /// The members of a mapping; one that is not `known` is refused.
    func members(_ known: [String]) throws(HomeError) -> [String: YAMLNode] {
        guard let mapping = node.mapping else {
            throw error(
                "this must be a mapping with some of these members: "
                    + known.joined(separator: ", "))
        }
        var members: [String: YAMLNode] = [:]
        for (key, value) in mapping {
            guard let name = key.string, known.contains(name) else {
                throw YAMLNode(node: key, path: path).error(
                    "there is no member \(key.string ?? "of this kind")"
                        + remedy(key.string ?? "", "members", known))
            }
            members[name] = YAMLNode(node: value, path: path)
        }
        return members
    }

    /// One member of a mapping, whatever the others are; `nil` where there is none.
    func member(_ name: String) -> YAMLNode? {
        node.mapping?.first { $0.key.string == name }.map { YAMLNode(node: $0.value, path: path) }
    }

    private func remedy(_ typed: String, _ noun: String, _ known: [String]) -> String {
        let question = Suggestion.question(about: typed, among: known)
        return question.isEmpty
            ? "; the \(noun) are \(known.joined(separator: ", "))" : question
    }

    /// One of a few texts.
    /// - Parameter noun: what they are, in the plural.
    func choice(_ noun: String, of known: [String]) throws(HomeError) -> String {
        let typed = try text()
        guard known.contains(typed) else {
            throw error("\(typed) is not one of the \(noun)\(remedy(typed, noun, known))")
        }
        return typed
    }

    /// A member that must be there.
    func required(_ name: String, of members: [String: YAMLNode]) throws(HomeError) -> YAMLNode {
        guard let member = members[name] else { throw error("\(name) is missing; add it") }
        return member
    }

    /// The items of a list.
    func items() throws(HomeError) -> [YAMLNode] {
        guard let sequence = node.sequence else {
            throw error("this must be a list: write each item behind a hyphen, or all in brackets")
        }
        return sequence.map { YAMLNode(node: $0, path: path) }
    }

    /// A text or number as it is written.
    func text() throws(HomeError) -> String {
        guard let text = node.scalar?.string, !text.isEmpty else {
            throw error("this must be a text, not empty and not a list")
        }
        return text
    }

    /// An identifier of the protocol.
    func identifier<Role>() throws(HomeError) -> Identifier<Role> {
        try value { text throws(InvalidIdentifier) in try Identifier(text) }
    }

    /// What a text stands for.
    func value<Value, Failure: Error>(
        _ read: (String) throws(Failure) -> Value
    ) throws(HomeError) -> Value {
        let text = try text()
        do {
            return try read(text)
        } catch {
            throw self.error((error as? MQTTError)?.message ?? "\(error)")
        }
    }

    /// The path of a file, looked for beside the configuration.
    func file() throws(HomeError) -> String {
        let named = try text()
        guard !named.hasPrefix("/"), let end = path.lastIndex(of: "/") else { return named }
        return path[...end] + named
    }
}

extension YamlError {
    /// Line and column, where the parser tells.
    fileprivate var place: String {
        switch self {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _):
            ":\(mark.line):\(mark.column)"
        case .duplicatedKeysInMapping(_, let context):
            ":\(context.mark.line):\(context.mark.column)"
        default: ""
        }
    }

    /// What is wrong, in one line.
    fileprivate var message: String {
        switch self {
        case .scanner(_, let problem, _, _), .parser(_, let problem, _, _),
            .composer(_, let problem, _, _), .reader(let problem, _, _, _):
            "this is not YAML: \(problem)"
        case .duplicatedKeysInMapping(let duplicates, _):
            "\(duplicates.sorted().joined(separator: ", ")) is given twice; remove one"
        default: "this is not YAML: \(self)"
        }
    }
}
