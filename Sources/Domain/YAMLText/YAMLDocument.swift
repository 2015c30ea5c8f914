internal import Yams

/// A YAML text that was parsed, and where it came from.
package struct YAMLDocument {
    /// The whole of it; `nil` for an empty text.
    package let root: YAMLNode?

    /// - Parameters:
    ///   - text: one YAML document.
    ///   - path: where it is, for messages and for the files that it names.
    /// - Throws: ``YAMLProblem`` where it is not YAML, or a member is given twice.
    package init(_ text: String, path: String) throws(YAMLProblem) {
        do {
            // Everything is read as text. Other resolvers tell types apart by regular expressions,
            // which need ICU (scripts/link-statically).
            root = try compose(yaml: text, .basic).map { YAMLNode(node: $0, path: path) }
        } catch let error as YamlError {
            throw error.problem(in: path)
        } catch {
            throw YAMLProblem(path: path, message: "\(error)")
        }
    }
}

extension YamlError {
    fileprivate func problem(in path: String) -> YAMLProblem {
        YAMLProblem(path: path, line: place?.line, column: place?.column, message: message)
    }

    /// Line and column, where the parser tells.
    private var place: Mark? {
        switch self {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _):
            mark
        case .duplicatedKeysInMapping(_, let context): context.mark
        default: nil
        }
    }

    /// What is wrong, in one line.
    private var message: String {
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
