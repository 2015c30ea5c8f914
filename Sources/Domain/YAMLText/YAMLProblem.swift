/// What is wrong in a YAML text, and where.
package struct YAMLProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file as it was named.
    package let path: String
    /// The line, from 1; `nil` where the text as a whole is meant.
    package let line: Int?
    /// The column, from 1; `nil` where the text as a whole is meant.
    package let column: Int?
    /// What is wrong, and what to do.
    package let message: String

    package init(path: String, line: Int? = nil, column: Int? = nil, message: String) {
        self.path = path
        self.line = line
        self.column = column
        self.message = message
    }

    /// `FILE:LINE:COLUMN: text`.
    package var description: String {
        guard let line, let column else { return "\(path): \(message)" }
        return "\(path):\(line):\(column): \(message)"
    }
}
