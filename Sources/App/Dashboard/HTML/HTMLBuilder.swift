/// Puts the pieces of an element together; texts among them are escaped.
@resultBuilder
enum HTMLBuilder {
    static func buildExpression(_ piece: HTML) -> HTML { piece }
    static func buildExpression(_ text: String) -> HTML { HTML(text) }
    static func buildExpression(_ piece: HTML?) -> HTML { piece ?? .empty }
    static func buildExpression(_ pieces: [HTML]) -> HTML { .joined(pieces) }
    static func buildBlock(_ pieces: HTML...) -> HTML { .joined(pieces) }
    static func buildOptional(_ piece: HTML?) -> HTML { piece ?? .empty }
    static func buildEither(first piece: HTML) -> HTML { piece }
    static func buildEither(second piece: HTML) -> HTML { piece }
    static func buildArray(_ pieces: [HTML]) -> HTML { .joined(pieces) }
}

/// An element with its attributes and content.
func element(
    _ name: StaticString, _ attributes: HTMLAttribute..., @HTMLBuilder content: () -> HTML
) -> HTML {
    .element(name, attributes, content())
}

/// An element with a list of attributes.
func element(
    _ name: StaticString, _ attributes: [HTMLAttribute], @HTMLBuilder content: () -> HTML
) -> HTML {
    .element(name, attributes, content())
}

/// An element with a text.
func element(_ name: StaticString, _ attributes: HTMLAttribute..., text: String) -> HTML {
    .element(name, attributes, HTML(text))
}

/// An element without content.
func void(_ name: StaticString, _ attributes: HTMLAttribute...) -> HTML {
    .void(name, attributes)
}
