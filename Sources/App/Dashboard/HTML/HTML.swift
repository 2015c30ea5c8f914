/// A piece of a page. Text in it is always escaped: there is no way from a text to markup.
struct HTML: Hashable, Sendable {
    /// The markup, in which every text is escaped.
    let markup: String

    /// A text.
    init(_ text: String) {
        var markup = ""
        markup.reserveCapacity(text.utf8.count)
        Self.escape(text, into: &markup)
        self.markup = markup
    }

    private init(safe markup: String) { self.markup = markup }

    /// Nothing.
    static let empty = HTML(safe: "")

    /// Whether there is nothing in it.
    var isEmpty: Bool { markup.isEmpty }

    /// Pieces one after the other.
    static func joined(_ pieces: [HTML]) -> HTML {
        HTML(safe: pieces.map(\.markup).joined())
    }

    /// A whole page.
    static func document(language: String, theme: String, _ head: HTML, _ body: HTML) -> HTML {
        let attributes = HTMLAttribute.list([
            .init("lang", language), .init("data-theme", theme),
        ])
        return HTML(
            safe: "<!doctype html>\n<html\(attributes)>\(head.markup)\(body.markup)</html>\n")
    }

    /// An element with its content.
    /// - Parameter name: a name of HTML or SVG, which is part of the program.
    static func element(
        _ name: StaticString, _ attributes: [HTMLAttribute], _ content: HTML
    ) -> HTML {
        HTML(safe: "<\(name)\(HTMLAttribute.list(attributes))>\(content.markup)</\(name)>")
    }

    /// An element that has no content, such as `input` of HTML or `path` of SVG.
    static func void(_ name: StaticString, _ attributes: [HTMLAttribute]) -> HTML {
        HTML(safe: "<\(name)\(HTMLAttribute.list(attributes))/>")
    }

    /// Appends a text as characters of content or of a quoted attribute.
    static func escape(_ text: String, into markup: inout String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": markup += "&amp;"
            case "<": markup += "&lt;"
            case ">": markup += "&gt;"
            case "\"": markup += "&quot;"
            case "'": markup += "&#39;"
            case "\t", "\n", "\r": markup.unicodeScalars.append(scalar)
            // Neither allowed in a page nor visible.
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}": markup += "\u{FFFD}"
            // They reverse the order of the text around them.
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": markup += "\u{FFFD}"
            default: markup.unicodeScalars.append(scalar)
            }
        }
    }
}

/// An attribute of an element. Its value is escaped and always quoted.
struct HTMLAttribute: Hashable, Sendable {
    private let markup: String

    /// An attribute with a value.
    init(_ name: StaticString, _ value: String) {
        var markup = " \(name)=\""
        HTML.escape(value, into: &markup)
        self.markup = markup + "\""
    }

    /// An attribute that is there or not, such as `disabled`.
    init(_ name: StaticString, _ isThere: Bool = true) { markup = isThere ? " \(name)" : "" }

    /// Attributes as they stand in a tag.
    static func list(_ attributes: [HTMLAttribute]) -> String {
        attributes.map(\.markup).joined()
    }
}

extension HTMLAttribute {
    /// The classes of an element.
    static func `class`(_ names: String) -> Self { Self("class", names) }
    /// The name of an element within its page.
    static func id(_ name: String) -> Self { Self("id", name) }
    /// Marks a part of a page that is replaced when it changes.
    static func live(_ name: String) -> [Self] { [.id(name), Self("data-live")] }
    /// What an assistive program reads instead of the content.
    static func label(_ text: String) -> Self { Self("aria-label", text) }
    /// Where a link leads: a path of this server.
    static func href(_ path: String) -> Self { Self("href", LocalPath(path).text) }
    /// Where a form is sent: a path of this server.
    static func action(_ path: String) -> Self { Self("action", LocalPath(path).text) }
    /// Marks a name, which is the same in every language.
    static var name: Self { Self("translate", "no") }
    /// Hides an element from assistive programs.
    static var decorative: Self { Self("aria-hidden", "true") }
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
