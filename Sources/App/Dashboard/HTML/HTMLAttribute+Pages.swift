internal import Markup

extension HTMLAttribute {
    /// The name of an element within its page.
    static func id(_ name: String) -> Self { Self("id", name) }
    /// Marks a part of a page that is replaced when it changes.
    static func live(_ name: String) -> [Self] { [.id(name), Self("data-live")] }
    /// Where a link leads: a path of this server.
    static func href(_ path: String) -> Self { Self("href", LocalPath(path).text) }
    /// Where a form is sent: a path of this server.
    static func action(_ path: String) -> Self { Self("action", LocalPath(path).text) }
    /// Marks a name, which is the same in every language.
    static var name: Self { Self("translate", "no") }
}

/// A path of this server. Anything else, such as another origin or a script, becomes `/`.
struct LocalPath: Hashable, Sendable {
    /// The path, with its query.
    let text: String

    init(_ text: String) {
        let isLocal =
            text.hasPrefix("/") && !text.hasPrefix("//") && !text.hasPrefix("/\\")
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F && $0 != "\\" }
        self.text = isLocal || text.hasPrefix("#") ? text : "/"
    }
}
