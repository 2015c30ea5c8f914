internal import Markup

/// A part of a page that is replaced when it changes.
struct LivePart: Hashable, Sendable {
    /// The `id` of its element.
    let id: String
    /// What the element contains.
    let content: HTML
    /// Stands for the content.
    let fingerprint: Fingerprint

    init(_ id: String, @HTMLBuilder content: () -> HTML) {
        self.id = id
        self.content = content()
        fingerprint = Fingerprint(self.content.markup.utf8)
    }

    /// The element with its content, for the page itself.
    func element(_ name: StaticString, _ attributes: HTMLAttribute...) -> HTML {
        .element(name, HTMLAttribute.live(id) + attributes, content)
    }
}
