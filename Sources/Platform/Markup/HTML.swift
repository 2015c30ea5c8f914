/// A piece of a page. Text in it is always escaped: there is no way from a text to markup.
package struct HTML: Hashable, Sendable {
    /// The markup, in which every text is escaped.
    package let markup: String

    /// A text.
    package init(_ text: String) {
        var markup = ""
        markup.reserveCapacity(text.utf8.count)
        Self.escape(text, into: &markup)
        self.markup = markup
    }

    private init(safe markup: String) { self.markup = markup }

    /// Nothing.
    package static let empty = HTML(safe: "")

    /// Whether there is nothing in it.
    package var isEmpty: Bool { markup.isEmpty }

    /// Pieces one after the other.
    package static func joined(_ pieces: [HTML]) -> HTML {
        HTML(safe: pieces.map(\.markup).joined())
    }

    /// A whole page.
    package static func document(language: String, theme: String, _ head: HTML, _ body: HTML)
        -> HTML
    {
        let attributes = HTMLAttribute.list([
            .init("lang", language), .init("data-theme", theme),
        ])
        return HTML(
            safe: "<!doctype html>\n<html\(attributes)>\(head.markup)\(body.markup)</html>\n")
    }

    /// A document of XML 1.0 with its outermost element.
    package static func xmlDocument(_ root: HTML) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(root.markup)\n"
    }

    /// A style sheet within a page.
    /// - Parameter sheet: a part of the program, without `<` and `&`.
    package static func style(_ sheet: StaticString) -> HTML {
        HTML(safe: "<style>\(sheet)</style>")
    }

    /// An element with its content.
    /// - Parameter name: a name of HTML or SVG, which is part of the program.
    package static func element(
        _ name: StaticString, _ attributes: [HTMLAttribute], _ content: HTML
    ) -> HTML {
        HTML(safe: "<\(name)\(HTMLAttribute.list(attributes))>\(content.markup)</\(name)>")
    }

    /// An element that has no content, such as `input` of HTML or `path` of SVG.
    package static func void(_ name: StaticString, _ attributes: [HTMLAttribute]) -> HTML {
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
            // No characters of XML 1.0.
            case "\u{FFFE}", "\u{FFFF}": markup += "\u{FFFD}"
            // They reverse the order of the text around them.
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": markup += "\u{FFFD}"
            default: markup.unicodeScalars.append(scalar)
            }
        }
    }
}

/// An attribute of an element. Its value is escaped and always quoted.
package struct HTMLAttribute: Hashable, Sendable {
    private let markup: String

    /// An attribute with a value.
    package init(_ name: StaticString, _ value: String) {
        var markup = " \(name)=\""
        HTML.escape(value, into: &markup)
        self.markup = markup + "\""
    }

    /// An attribute that is there or not, such as `disabled`.
    package init(_ name: StaticString, _ isThere: Bool = true) {
        markup = isThere ? " \(name)" : ""
    }

    /// Attributes as they stand in a tag.
    static func list(_ attributes: [HTMLAttribute]) -> String {
        attributes.map(\.markup).joined()
    }
}

extension HTMLAttribute {
    /// The classes of an element.
    package static func `class`(_ names: String) -> Self { Self("class", names) }
    /// What an assistive program reads instead of the content.
    package static func label(_ text: String) -> Self { Self("aria-label", text) }
    /// Hides an element from assistive programs.
    package static var decorative: Self { Self("aria-hidden", "true") }
}
